import { outcomes } from '../../src/shared/outcome.ts'
import { confirmPageSteps, confirmReplySteps, hasConfirmed, site } from '../../src/site/site.ts'
import { catalogueOf } from '../../src/words/catalogue.ts'
import { compose, minifyScript, NO_INDEX } from './document.ts'
import * as features from './features.ts'
import type { LanguagePage } from './language-page.ts'
import { plainPage } from './plain-page.ts'
import type { Prerender } from './prerender.ts'
import { SHARE_SCRIPT } from './share-script.ts'

/** The pages of a language that the server fills in or chooses among, by path. */
export function templatesOf(page: LanguagePage, prerender: Prerender): Record<string, string> {
  const { language, shell, style, isConfirmedShared } = page
  const { path } = language
  const document = (head: string, body: string) =>
    compose(shell, {
      language: catalogueOf(language.product),
      head: head + NO_INDEX,
      body,
      style,
    })
  const files = { [site.openPage(undefined, path)]: page.open }
  for (const outcome of outcomes) {
    const body = prerender.renderOutcomePage(language, outcome)
    files[site.outcomePage(outcome, path)] = document(page.head, body)
    const openBody = prerender.renderOutcomePage(language, outcome, { isOpen: true })
    files[site.openPage(outcome, path)] = document(page.openHead, openBody)
  }
  for (const isOpen of [false, true]) {
    // Without script there is no session, whose age would take a quick press for a robot's.
    const body = prerender.renderOutcomePage(language, undefined, { isOpen })
    files[site.filledPage(isOpen, path)] = plainPage(page, body)
  }
  for (const scriptOf of Object.values<features.ScriptOf>(features)) {
    const [file, script] = scriptOf(page)
    files[file] = minifyScript(script)
  }
  for (const { page: name, step, body } of prerender.renderLinkPages(language))
    files[site.linkPage(name, step, path)] = plainPage(page, body)
  for (const step of [...confirmPageSteps, ...(page.isAsked ? confirmReplySteps : [])]) {
    const script = hasConfirmed(step) && isConfirmedShared ? `<script>${SHARE_SCRIPT}</script>` : ''
    const body = prerender.renderConfirmPage(language, step) + script
    files[site.linkPage('confirm', step, path)] = plainPage(page, body, page.confirmStyle)
  }
  return files
}
