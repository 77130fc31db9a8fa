import type { Copy } from './sqlite/copy.ts'

/** Writes copies of everything that is kept, for a store that has no such thing of its own. */
export interface Backups {
  /**
   * Writes a copy as of now while others read and write, and reads it back before it counts.
   *
   * @param file is replaced if it is there. @throws StoreUnavailable
   */
  write(file: string): Promise<Copy>

  /** When the last copy was written. @throws StoreUnavailable */
  last(): Promise<Date | null>
}
