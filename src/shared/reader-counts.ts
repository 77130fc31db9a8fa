import { grouped } from './counted.ts'

/** How many get a letter in one of its languages. */
export interface ReaderCount {
  /** `undefined` for the first one. */
  readonly code: string | undefined
  readonly people: number
  /** How many of them get it since their language has no letter, or is not known. */
  readonly fallingBack: number
}

/** A line for each language of a letter. @param name the announcement's. */
export function readersInWords(name: string, counts: readonly ReaderCount[]): string[] {
  return counts.map(({ code, people, fallingBack }) => {
    if (code !== undefined) return `${grouped(people)} to get ${name}.${code}.md`
    const without = `, ${grouped(fallingBack)} of them because their language is not known, or has no letter of its own`
    return `${grouped(people)} to get ${name}.md${fallingBack > 0 ? without : ''}`
  })
}
