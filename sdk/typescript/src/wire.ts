// What the server sends, named: generated from openapi.yaml, never written by hand.

import type { components } from "./openapi.js";

type Schemas = components["schemas"];

export type Command = Schemas["Command"];
export type Fork = Schemas["Fork"];
export type Game = Schemas["Game"];
export type Games = Schemas["Games"];
export type Guest = Schemas["Guest"];
export type MyEvents = Schemas["MyEvents"];
export type MyTableNews = Schemas["MyTableNews"];
export type MyTables = Schemas["MyTables"];
export type NewTable = Schemas["NewTable"];
export type Notice = Schemas["Notice"];
export type Notices = Schemas["Notices"];
export type OpenedView = Schemas["OpenedView"];
export type Outcome = Schemas["Outcome"];
export type Player = Schemas["Player"];
export type Problem = Schemas["Problem"];
export type Profile = Schemas["Profile"];
export type SeatOutcome = Schemas["SeatOutcome"];
export type Sitting = Schemas["Sitting"];
export type StreamTicket = Schemas["StreamTicket"];
export type Tables = Schemas["Tables"];
export type View = Schemas["View"];

/** A move of a view's `moves`, or a command written by hand. */
export type Move = Command | View["moves"][number];
/** Whose eyes a view is seen with; without one, the caller's own. */
export type Perspective = number | "spectator" | "arbiter";
/** How much of a record is taken away. */
export type Redaction = "public" | "seat" | "full";
