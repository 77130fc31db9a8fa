/**
 * What a letter asks by a button under its text: who still wants to be told, or the question of the
 * page. The names of such announcements begin with it, and say so for ever.
 */
export const askedByLetter = ['still-interested', 'question'] as const

export type AskedByLetter = (typeof askedByLetter)[number]

/** What an announcement of this name asks; nothing of one that tells news. */
export function askedBy(announcement: string): AskedByLetter | undefined {
  return askedByLetter.find((asked) => `${announcement}-`.startsWith(`${asked}-`))
}
