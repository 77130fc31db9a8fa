import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyReply } from 'fastify'
import { paths } from '../../shared/api.ts'
import { type Outcome, outcomes } from '../../shared/outcome.ts'
import { EMAIL_SLOT, OPEN_URL_SLOT, site } from '../../site/site.ts'

/** The pages that answer a form without script: the page again, with its outcome. */
export interface OutcomePages {
  /**
   * @param outcome left out where it was not judged: the form then only has the address in it.
   * @param email the typed text, which is put into the input again.
   * @param query is sent along when the form is posted again, since this page's own URL has lost
   *   it.
   */
  send(reply: FastifyReply, outcome: Ended, email: string, query?: string): FastifyReply
}

type Ended = Outcome | undefined

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
  const read = (file: string) => readFileSync(join(root, file), 'utf8').split(EMAIL_SLOT)
  const pages = (isOpen: boolean): ReadonlyMap<Ended, string[]> => {
    const place = isOpen ? site.openPage : site.outcomePage
    return new Map<Ended, string[]>([
      ...outcomes.map((outcome) => [outcome, read(place(outcome, path))] as const),
      [undefined, read(site.filledPage(isOpen, path))],
    ])
  }
  const [comingSoon, open] = [pages(false), pages(true)]
  const action = path + paths.subscribe

  return {
    send(reply, outcome, email, query = '') {
      const url = openUrl()
      const page = (url === undefined ? comingSoon : open).get(outcome) ?? []
      return reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(
          page
            .map((part) => part.replaceAll(OPEN_URL_SLOT, () => escapeAttribute(url ?? '')))
            .join(escapeAttribute(email))
            .replace(
              `action="${action}"`,
              () => `action="${escapeAttribute(path + next + query)}"`,
            ),
        )
    },
  }
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeAttribute(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? '')
}
