import type { Finding } from './finding.ts'

/** What makes the codes of letters, each for its reader alone. */
export interface LetterCodes {
  /** Whether they can be made, and what they are. Writes nothing. @throws StoreUnavailable */
  look(days: number): Promise<Finding>
  /**
   * @param announcement left out for a test, whose codes nobody takes.
   * @returns what makes the code of an address id. @throws OperatorError, StoreUnavailable
   */
  begin(days: number, announcement?: string): Promise<(addressId: string) => Promise<string>>
}
