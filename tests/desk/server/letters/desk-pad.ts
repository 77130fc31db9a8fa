import { isRunning, type LetterPage } from '../../../../src/desk/contract/letters.ts'
import { paths } from '../../../../src/shared/api.ts'
import type { Report } from '../../../../src/shared/report.ts'
import { openDesk } from '../../../fixtures/desk.ts'
import { type Home, homeOnFile } from '../../../fixtures/home.ts'
import { type LaunchOptions, launchPad } from '../../../fixtures/launch-pad.ts'

export const letter = {
  name: 'launch',
  subject: 'We are live',
  from: 'The team <team@example.org>',
  text: '# Come in',
}

/** A launch pad with a desk: what is sent from it is sent by the real engine. */
export async function deskPad(
  count: number,
  { more, ...options }: LaunchOptions & { more?: Record<string, string> } = {},
) {
  const home: Home = options.home ?? homeOnFile()
  const pad = await launchPad(count, { ...options, home })
  const env = {
    ...process.env,
    ...home.env,
    SMTP_URL: pad.relay.url,
    MAIL_FROM: '',
    UNSUBSCRIBE_URL: pad.url + paths.unsubscribe,
    PUBLIC_URL: '',
    ...more,
  }
  const desk = await openDesk({ home, env })
  const sending = { rate: '1000', dnsServer: pad.dns.server }

  /** The page of the letter, as React is given it. */
  async function page(name = 'launch') {
    const { page } = await desk.get(`/desk/letters/${name}`)
    if (page?.page !== 'letter') throw new Error(`no letter but ${JSON.stringify(page)}`)
    return page as LetterPage
  }

  return {
    pad,
    desk,
    page,
    env,
    sending,
    home,
    write: (fields: Record<string, string> = {}) =>
      desk.post('/desk/letters', { ...letter, ...fields }),
    check: () => desk.post('/desk/letters/launch/check', sending),
    /** Presses "send" on the page as it is now. */
    async send(stage: string, people: number | string, more: Record<string, string> = {}) {
      const { nextRun, version, check } = await page()
      return desk.post('/desk/letters/launch/send', {
        ...sending,
        stage,
        people: String(people),
        run: String(nextRun),
        version,
        checkedAt: String(check?.at ?? ''),
        ...more,
      })
    },
    stop: () => desk.post('/desk/letters/launch/stop', {}),
    /** Waits until nobody sends any more. */
    async ended() {
      for (;;) {
        const found = await page()
        if (!isRunning(found.progress.state)) return found
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    },
  }
}

/** The notes of a report that a page has. */
export const notesIn = (shown: { readonly report: Report } | undefined) =>
  (shown?.report.parts ?? []).flatMap((part) => (part.part === 'notes' ? part.notes : []))
