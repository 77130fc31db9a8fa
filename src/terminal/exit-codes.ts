/**
 * How a command ended, for scripts: 0 it did what was asked; 1 it could not; 2 it was called wrongly;
 * 3 it did, but not for everybody or everything; 130 it was stopped with Ctrl-C. To a mail server that
 * hands over a message: 75, it is to be tried again (`EX_TEMPFAIL` of sysexits.h).
 */
export const exitCodes = {
  done: 0,
  failed: 1,
  misused: 2,
  partly: 3,
  tryAgain: 75,
  stopped: 130,
} as const
