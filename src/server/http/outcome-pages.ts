import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyReply } from 'fastify'
import { paths } from '../../shared/api.ts'
import type { Outcome } from '../../shared/outcome.ts'
import { EMAIL_SLOT, site } from '../../site/site.ts'

/** The pages that answer a form without script: the page again, with its outcome. */
export interface OutcomePages {
  /**
   * @param email what the visitor typed; it is put into the input again.
   * @param query goes along when the form is posted again; this page's own URL has lost it.
   */
  send(reply: FastifyReply, outcome: Outcome, email: string, query?: string): FastifyReply
}

/** @param root the folder that the build's folder is in. */
export function readOutcomePages(root: string): OutcomePages {
  const read = (outcome: Outcome) =>
    readFileSync(join(root, site.outcomePage(outcome)), 'utf8').split(EMAIL_SLOT)
  const pages: Record<Outcome, string[]> = {
    subscribed: read('subscribed'),
    'invalid-email': read('invalid-email'),
    'database-unavailable': read('database-unavailable'),
    failed: read('failed'),
  }

  return {
    send: (reply, outcome, email, query = '') =>
      reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(
          pages[outcome]
            .join(escapeAttribute(email))
            .replace(FORM, () => `action="${escapeAttribute(paths.subscribe + query)}"`),
        ),
  }
}

const FORM = `action="${paths.subscribe}"`

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeAttribute(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? '')
}
