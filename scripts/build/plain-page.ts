import { escapeHtml } from '../../src/shared/escape-html.ts'
import { catalogueOf } from '../../src/words/catalogue.ts'
import { compose, NO_INDEX } from './document.ts'
import type { LanguagePage } from './language-page.ts'

/** A page that says one thing and needs no script; its title is the product's name alone. */
export function plainPage(
  { language: { product }, shell, head, style: usual }: LanguagePage,
  body: string,
  style = usual,
) {
  const title = `<title>${escapeHtml(product.name)}</title>`
  return compose(shell.replace(/<(script|link rel="modulepreload")[^>]*>(<\/script>)?/g, ''), {
    language: catalogueOf(product),
    head: head.replace(/<title>.*?<\/title>/, () => title) + NO_INDEX,
    body,
    style,
  })
}
