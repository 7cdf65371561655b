import type { Range } from "./expression-node.ts";

/** Where a text stops being an expression, and why. */
export interface SyntaxFault extends Range {
  readonly code: string;
}

/** Ends the reading of a text at its first fault; it never leaves this room. */
export class SyntaxStop extends Error {
  readonly fault: SyntaxFault;

  constructor(fault: SyntaxFault) {
    super(fault.code);
    this.fault = fault;
  }
}
