import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyReply } from 'fastify'
import { paths } from '../../shared/api.ts'
import type { Outcome } from '../../shared/outcome.ts'
import { EMAIL_SLOT, OPEN_URL_SLOT, site } from '../../site/site.ts'

/** The pages that answer a form without script: the page again, with its outcome. */
export interface OutcomePages {
  /**
   * @param email the typed text, which is put into the input again.
   * @param query is sent along when the form is posted again, since this page's own URL has lost
   *   it.
   */
  send(reply: FastifyReply, outcome: Outcome, email: string, query?: string): FastifyReply
}

/**
 * @param root the folder that the build's folder is in.
 * @param path of their language, such as `/de`.
 * @param openUrl where the open page's button leads, while it is open.
 */
export function readOutcomePages(
  root: string,
  path: string,
  openUrl: () => string | undefined = () => undefined,
): OutcomePages {
  const comingSoon = readPages(root, (outcome) => site.outcomePage(outcome, path))
  const open = readPages(root, (outcome) => site.openPage(outcome, path))
  const action = path + paths.subscribe

  return {
    send(reply, outcome, email, query = '') {
      const url = openUrl()
      const page = (url === undefined ? comingSoon : open)[outcome]
      return reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(
          page
            .map((part) => part.replaceAll(OPEN_URL_SLOT, () => escapeAttribute(url ?? '')))
            .join(escapeAttribute(email))
            .replace(`action="${action}"`, () => `action="${escapeAttribute(action + query)}"`),
        )
    },
  }
}

function readPages(root: string, place: (outcome: Outcome) => string): Record<Outcome, string[]> {
  const read = (outcome: Outcome) =>
    readFileSync(join(root, place(outcome)), 'utf8').split(EMAIL_SLOT)
  return {
    subscribed: read('subscribed'),
    'invalid-email': read('invalid-email'),
    'database-unavailable': read('database-unavailable'),
    failed: read('failed'),
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
