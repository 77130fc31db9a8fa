/**
 * How a command ended, for scripts: 0 done; 1 failed; 2 called wrongly; 3 done, but not for
 * everybody or everything; 130 stopped with Ctrl-C. For a mail server that hands over a message:
 * 75, to be tried again (`EX_TEMPFAIL` of sysexits.h).
 */
export const exitCodes = {
  done: 0,
  failed: 1,
  misused: 2,
  partly: 3,
  tryAgain: 75,
  stopped: 130,
} as const
