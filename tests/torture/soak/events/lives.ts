import type { Life } from '../life.ts'

/** The server is stopped as a deploy stops it, and begins again. */
export const deploy = ({ house }: Life) => house.restart()

/** A deploy that nobody notices: another server is there before the old one ends. */
export const rollOver = ({ house }: Life) => house.rollOver()

/** `kill -9` at a moment of chance. */
export const kill = ({ house }: Life) => house.kill()
