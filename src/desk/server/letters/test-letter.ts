import { createHash } from 'node:crypto'
import type { Refusal } from '../../../announcement/refusal.ts'
import { lookAhead, sendTest } from '../../../announcement/run/announce-job.ts'
import { readLetterFile } from '../../../announcement/run/letter-file.ts'
import { MailerUnusable } from '../../../mail/mailer.ts'
import { findingNote } from '../../../report/makers/finding.ts'
import { refusalInWords } from '../../../report/makers/refusal.ts'
import { Refused } from '../../../shared/refused.ts'
import { say } from '../../../shared/say.ts'
import { StoreUnavailable } from '../../../store/subscriber-store.ts'
import { OperatorError } from '../../../terminal/operator-error.ts'
import { answerInWords } from '../../../terminal/standing-words.ts'
import type { LetterTest } from '../../contract/letters.ts'
import { deskMailer } from './check-letter.ts'
import { type LetterDesk, usable } from './letter-desk.ts'
import { seenOf } from './letter-progress.ts'
import type { readSending } from './sending-settings.ts'

type MailSettings = NonNullable<LetterDesk['settings']['mail']>

export interface TestWanted {
  readonly name: string
  readonly to: string
  readonly isForced: boolean
  readonly sending: ReturnType<typeof readSending>
}

/** Within this time, the same letter to the same address is a double click or a form sent again. */
const ONCE_MS = 30_000

/**
 * Sends a test as `announce --to` does, and keeps the result for the page. A test that was just
 * sent, or is under way, is not sent again.
 *
 * @throws OperatorError where there is no letter, or no mail server is set; StoreUnavailable
 */
export async function testLetter(desk: LetterDesk, wanted: TestWanted): Promise<void> {
  const { name, to } = wanted
  const { mail, missing } = desk.settings
  if (!mail) throw new OperatorError(missing.join('\n'))
  const { version } = usable(desk, name)
  const { testsSent } = desk
  // Kept as a hash, since the recipient may be forgotten next.
  const what = JSON.stringify([name, version, to])
  const key = createHash('sha256').update(what).digest('base64url')
  const before = testsSent.get(key)
  if (before) {
    const text = say('It was just sent to {to}. In half a minute it can be sent again.', { to })
    const again = { to, isSent: true, text, notes: [] }
    desk.tests.set(name, before === 'sent' ? again : await before)
    return
  }

  // No `await` until here, so that of two requests at once one is first.
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

/** The run that sends it. */
async function jobOf(
  { product, languages, root, linkKey, codes, mailFrom, folder }: LetterDesk,
  mail: MailSettings,
  { name, isForced, sending }: TestWanted,
) {
  const { rate, resolveTxt, settings } = sending
  return {
    ...mail,
    letterFile: await readLetterFile(folder.fileOf(name), mailFrom, languages, root),
    product,
    languages,
    linkKey,
    codes,
    mailer: deskMailer(mail.smtpUrl),
    resolveTxt,
    rate,
    // It is one letter.
    stopShare: 1,
    signal: new AbortController().signal,
    overrides: () => isForced,
    dkimSelector: settings.dkimSelector || undefined,
    isTest: true,
  }
}

async function send(desk: LetterDesk, mail: MailSettings, wanted: TestWanted): Promise<LetterTest> {
  const { store } = desk
  const { name, to } = wanted
  const job = await jobOf(desk, mail, wanted)
  const failed = (text: string, notes: LetterTest['notes'] = []) => ({
    to,
    isSent: false,
    text,
    notes,
  })
  try {
    const { found, may } = await lookAhead(store, job)
    if (may === 'fatal' || may === 'problem') {
      const seen = seenOf(desk, name, await desk.standingOf(name))
      return failed(
        say('These problems prevent it.'),
        found
          .filter(({ verdict }) => verdict === 'problem' || verdict === 'fatal')
          .map((one) => findingNote(one, seen)),
      )
    }
    const sent = await sendTest(job, to)
    for (const { language, outcome } of sent) {
      const which = language ? say(' in {language}', { language }) : ''
      if (outcome.kind !== 'accepted')
        return failed(
          say('The test{which} was not accepted ({kind}): {answer}', {
            which,
            kind: outcome.kind,
            answer: answerInWords(outcome.answer),
          }),
        )
    }
    const [first] = sent
    const test =
      sent.length > 1
        ? say('A test in each of {languages} languages', { languages: sent.length })
        : say('A test')
    const said = answerInWords(first?.outcome.answer ?? '')
    return {
      to,
      isSent: true,
      text: say('{test} is on its way to {to}: {said}', { test, to, said }),
      notes: [],
    }
  } catch (error) {
    if (error instanceof Refused) return failed(refusalInWords(error.why as Refusal))
    if (error instanceof MailerUnusable || error instanceof StoreUnavailable)
      return failed(error.message)
    throw error
  } finally {
    job.mailer.close()
  }
}
