import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyReply } from 'fastify'
import { FIELD_FRAGMENT, paths } from '../../shared/api.ts'
import { EMAIL_MAX_LENGTH } from '../../shared/email.ts'
import { escapeHtml } from '../../shared/escape-html.ts'
import { type Outcome, outcomes } from '../../shared/outcome.ts'
import { OPEN_URL_SLOT, site, typedSlots } from '../../site/site.ts'

/** The pages that answer a form without script: the page again, with its outcome. */
export interface OutcomePages {
  /**
   * @param outcome left out where it was not judged: the form then only has the address in it.
   * @param form whose texts are put into its fields again, but for those that are longer than any address.
   * @param query is sent along when the form is posted again, since this page's own URL has lost
   *   it.
   */
  send(reply: FastifyReply, outcome: Ended, form?: unknown, query?: string): FastifyReply
}

type Ended = Outcome | undefined

/** The address of a form, in its attribute. */
const ACTION_SLOT = '%ACTION%'
const SLOT = new RegExp(`(${[...Object.values(typedSlots), OPEN_URL_SLOT, ACTION_SLOT].join('|')})`)

/** A page, split at its slots: to fill them costs little more than to send a file. */
type Page = readonly (Buffer | string)[]

/** The e-mail rule looks no further either. */
const LONGEST_TYPED = 4 * EMAIL_MAX_LENGTH

/**
 * @param root the folder that the build's folder is in.
 * @param path of their language, such as `/de`.
 * @param openUrl where the open page's button leads, while it is open.
 * @param next where the form on them posts.
 */
export function readOutcomePages(
  root: string,
  path: string,
  openUrl: () => string | undefined = () => undefined,
  next: string = paths.subscribe,
): OutcomePages {
  const action = `action="${path}${paths.subscribe}${FIELD_FRAGMENT}"`
  const read = (file: string): Page =>
    readFileSync(join(root, file), 'utf8')
      .replace(action, () => `action="${ACTION_SLOT}"`)
      .split(SLOT)
      .map((part, i) => (i % 2 === 0 ? Buffer.from(part) : part))
  const pages = (isOpen: boolean): ReadonlyMap<Ended, Page> => {
    const place = isOpen ? site.openPage : site.outcomePage
    return new Map<Ended, Page>([
      ...outcomes.map((outcome) => [outcome, read(place(outcome, path))] as const),
      [undefined, read(site.filledPage(isOpen, path))],
    ])
  }
  const [comingSoon, open] = [pages(false), pages(true)]

  return {
    send(reply, outcome, form, query = '') {
      const url = openUrl()
      const typed = Object(form) as Readonly<Record<string, unknown>>
      const page = (url === undefined ? comingSoon : open).get(outcome) ?? []
      const textOf = (value: unknown) =>
        typeof value === 'string' && value.length <= LONGEST_TYPED ? value : ''
      const values = new Map([
        ...Object.entries(typedSlots).map(([name, slot]) => [slot, textOf(typed[name])] as const),
        [OPEN_URL_SLOT, url ?? ''],
        [ACTION_SLOT, path + next + query + FIELD_FRAGMENT],
      ])
      const filled = page.map((part) =>
        typeof part === 'string' ? Buffer.from(escapeHtml(values.get(part) ?? '')) : part,
      )
      return reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(Buffer.concat(filled))
    },
  }
}
