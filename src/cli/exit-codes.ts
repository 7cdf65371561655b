/** What the command line tells its caller. */
export interface ExitCodes {
  readonly fine: 0;
  /** Findings, or a run that failed. */
  readonly failed: 1;
  /** The command line itself is wrong. */
  readonly usage: 2;
  /** A fault of this program. */
  readonly fault: 3;
  /** Ended by Ctrl-C. */
  readonly interrupted: 130;
}

/** One of {@link exitCodes}. */
export type ExitCode = ExitCodes[keyof ExitCodes];

/** The exit status by what happened. */
export const exitCodes: ExitCodes = Object.freeze({ fine: 0, failed: 1, usage: 2, fault: 3, interrupted: 130 });
