import type { Reader } from '../../announcement/outlook.ts'
import type { AnnounceJob } from '../../announcement/run/announce-job.ts'
import { languageAmong } from '../../shared/language-code.ts'
import { grouped } from '../../terminal/words.ts'

/** Counts who gets an announcement in which language, where it has letters in several. */
export function whoGetsWhich({
  letterFile,
  languages,
}: Pick<AnnounceJob, 'letterFile' | 'languages'>) {
  const { id, translations } = letterFile
  const [first] = languages
  const codes = languages.map(({ code }) => code)
  const counts = new Map([first, ...translations].map(({ code }) => [code, 0]))
  let fallingBack = 0

  return {
    add({ language }: Reader) {
      const theirs = languageAmong(codes, language)
      const got = theirs !== undefined && counts.has(theirs) ? theirs : first.code
      counts.set(got, (counts.get(got) ?? 0) + 1)
      if (got !== theirs) fallingBack += 1
    },

    /** @returns a line for each letter; none where there is one letter. */
    inWords(): string[] {
      if (translations.length === 0) return []
      return [...counts].map(([code, people]) => {
        if (code !== first.code) return `${grouped(people)} to get ${id}.${code}.md`
        const without = `${grouped(fallingBack)} of them have no letter in their language, or none that is known`
        return `${grouped(people)} to get ${id}.md${fallingBack > 0 ? `: ${without}` : ''}`
      })
    },
  }
}
