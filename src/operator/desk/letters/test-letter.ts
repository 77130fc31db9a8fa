import { createHash } from 'node:crypto'
import { MailerUnusable } from '../../../mail/mailer.ts'
import { StoreUnavailable } from '../../../store/subscriber-store.ts'
import { announceLetter } from '../../announce/announce.ts'
import { newHolder } from '../../announce/dead-run.ts'
import { readLetterFile } from '../../announce/letter-file.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { plain, printable } from '../../terminal/style.ts'
import { deskMailer } from './check-letter.ts'
import { type LetterDesk, type LetterTest, mailOfDesk, usable, versionOf } from './letter-desk.ts'
import type { readSending } from './sending-settings.ts'

type MailSettings = NonNullable<ReturnType<typeof mailOfDesk>['settings']>

export interface TestWanted {
  readonly name: string
  readonly to: string
  readonly isForced: boolean
  readonly sending: ReturnType<typeof readSending>
}

/** So long, the same text to the same address is a double click, another tab or a form sent again. */
const ONCE_MS = 30_000
const MOST_LINES = 60

/**
 * Sends a test as `announce --to` does, and keeps what it said for the page. One that has just been
 * sent, or is on its way, is not sent again.
 *
 * @throws OperatorError where there is no letter, or no mail server is set; StoreUnavailable
 */
export async function testLetter(desk: LetterDesk, wanted: TestWanted): Promise<void> {
  const { name, to } = wanted
  const { settings: mail, missing } = mailOfDesk(desk)
  if (!mail) throw new OperatorError(missing.join('\n'))
  const { kept } = usable(desk, name)
  const { testsSent } = desk
  // Whoever it was sent to may be forgotten next: it is kept as a hash.
  const what = JSON.stringify([name, versionOf(kept), to])
  const key = createHash('sha256').update(what).digest('base64url')
  const before = testsSent.get(key)
  if (before) {
    const lines = [`It went to ${to} a moment ago. In half a minute it can be sent again.`]
    desk.tests.set(name, before === 'sent' ? { to, lines, isSent: true } : await before)
    return
  }

  // Until here nothing is waited for: of two at once one is first.
  const work = send(desk, mail, wanted)
  testsSent.set(key, work)
  try {
    const test = await work
    desk.tests.set(name, test)
    if (!test.isSent) return void testsSent.delete(key)
    testsSent.set(key, 'sent')
    setTimeout(() => testsSent.delete(key), ONCE_MS).unref()
  } catch (error) {
    testsSent.delete(key)
    throw error
  }
}

async function send(
  desk: LetterDesk,
  mail: MailSettings,
  { name, to, isForced, sending }: TestWanted,
): Promise<LetterTest> {
  const { store, product, root, linkKey, signing, mailFrom, folder } = desk
  const letterFile = await readLetterFile(folder.fileOf(name), mailFrom, product, root)
  const mailer = deskMailer(mail.smtpUrl)
  const out = collectedOut()
  let isSent = false
  try {
    const { rate, resolveTxt, settings } = sending
    const code = await announceLetter(
      store,
      {
        ...{
          letterFile,
          product,
          linkKey,
          signing,
          ...mail,
          mailer,
          resolveTxt,
          rate,
          stopShare: 0.05,
        },
        holder: newHolder(),
        ...{ signal: new AbortController().signal, to, force: isForced },
        ...(settings.dkimSelector && { dkimSelector: settings.dkimSelector }),
      },
      out,
    )
    isSent = code === 0
  } catch (error) {
    if (
      !(
        error instanceof OperatorError ||
        error instanceof MailerUnusable ||
        error instanceof StoreUnavailable
      )
    )
      throw error
    out.say(error.message)
  } finally {
    mailer.close()
  }
  return { to, lines: out.lines(), isSent }
}

/** Keeps what a command says, for a page instead of a terminal. */
function collectedOut(): Out & { lines(): readonly string[] } {
  const said: string[] = []
  const keep = (text: string) => {
    said.push(...printable(text).trimEnd().split('\n'))
    said.splice(0, Math.max(0, said.length - MOST_LINES))
  }
  return {
    write: async (text) => keep(text),
    say: keep,
    progress: () => {},
    style: plain,
    width: 80,
    lines: () => said,
  }
}
