export { Client, type Asking, type Settings, type Wish } from "./client.js";
export type { Following, FollowingMine } from "./course.js";
export type { components, operations, paths } from "./openapi.js";
export { ProblemError, UnreachableError } from "./problems.js";
export type * from "./wire.js";
