import { onTestFinished } from 'vitest'
import { confirmPath, paths } from '../../../src/shared/api.ts'
import { startRelay } from '../../fixtures/relay.ts'
import type { Everybody, Person } from './people.ts'

const SUBJECT = 'The bell has rung'

/** What `announce` is given. */
export const letter = `---
subject: ${SUBJECT}
from: Meridian <team@example.org>
---
# Come in
`

const link = (path: string) => new RegExp(`https?://[^\\s"<>]+?(${path}/[\\w-]+)`)

/**
 * A real mail server, whose record says who was told. It keeps no letters: it hands the path of a
 * letter's link to its owner, who may answer it.
 */
export async function postOffice(
  people: Everybody,
  answers: (one: Person, path: string, what: 'unsubscribe' | 'confirm') => void,
) {
  /** When the command began that tells people now. */
  let tellingSince = 0
  let letters = 0
  let stop: { left: number; reached: () => void; go: Promise<void> } | undefined
  const relay = await startRelay(undefined, {
    async takes(to, raw) {
      letters += 1
      take(to, raw)
      if (!stop) return
      stop.left -= 1
      if (stop.left >= 0) return
      stop.reached()
      await stop.go
    },
  })

  function take(to: string, raw: string) {
    // A line ends in the middle of a link, where it is too long for a mail.
    const text = raw.replaceAll('=\r\n', '')
    const isTold = text.includes(`Subject: ${SUBJECT}`)
    const one = people.all.get(to)
    if (!one) return people.broken.push(`${to} got a letter, and nobody knows them`)
    const [, path] = link(isTold ? paths.unsubscribe : confirmPath).exec(text) ?? []
    if (!path) return people.broken.push(`a letter to ${to} has no link`)
    if (isTold) people.tell(one, tellingSince)
    else one.asked += 1
    answers(one, path, isTold ? 'unsubscribe' : 'confirm')
  }
  onTestFinished(() => relay.close())
  return {
    url: relay.url,
    letters: () => letters,
    tells() {
      tellingSince = performance.now()
    },
    /**
     * Takes letters, and after so many says so to nobody any more: whoever sent one then cannot know.
     *
     * @returns resolves when somebody waits for its answer; `go` ends it.
     */
    pauseAfter(more: number) {
      const [paused, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      stop = { left: more, reached: paused.resolve, go: go.promise }
      return {
        paused: paused.promise,
        go() {
          stop = undefined
          go.resolve()
        },
      }
    },
  }
}

export type PostOffice = Awaited<ReturnType<typeof postOffice>>
