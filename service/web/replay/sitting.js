// Folds what every table has, whatever is played: who sits where, and how far it has come.

/** Answer the table before its first event. */
export function unopened(header) {
  return { phase: "open", chairs: Array(header.seats).fill(null), origin: null };
}

/** Apply an event of the table; those of its game change nothing here. */
export function seated(sitting, kind, told) {
  switch (kind) {
    case "SeatTaken":
      return { ...sitting, chairs: sitting.chairs.with(told.seat, chair(told)) };
    case "SeatLeft":
      return { ...sitting, chairs: sitting.chairs.with(told.seat, null) };
    case "TableForked":
      return { ...sitting, origin: { table: told.origin, version: told.step } };
    case "GameStarted":
      return { ...sitting, phase: "playing" };
    case "KeyRevealed":
      return { ...sitting, phase: "over" };
    default:
      return sitting;
  }
}

function chair({ player, bot }) {
  return { player, bot };
}
