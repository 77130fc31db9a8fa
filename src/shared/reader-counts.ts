import { grouped } from './counted.ts'

/** How many get a letter in one of its languages. */
export interface ReaderCount {
  /** `undefined` for the first one. */
  readonly code: string | undefined
  readonly people: number
  /** How many of them have no letter in their language, or none that is known. */
  readonly fallingBack: number
}

/** A line for each language of a letter. @param name the announcement's. */
export function readersInWords(name: string, counts: readonly ReaderCount[]): string[] {
  return counts.map(({ code, people, fallingBack }) => {
    if (code !== undefined) return `${grouped(people)} to get ${name}.${code}.md`
    const without = `${grouped(fallingBack)} of them have no letter in their language, or none that is known`
    return `${grouped(people)} to get ${name}.md${fallingBack > 0 ? `: ${without}` : ''}`
  })
}
