import product from '../../src/product/product.ts'
import { escapeHtml } from '../../src/shared/escape-html.ts'
import { catalogueOf } from '../../src/words/catalogue.ts'
import { compose, NO_INDEX } from './document.ts'
import type { buildPage } from './page.ts'

/** A page that says one thing and needs no script; its title is the product's name alone. */
export function plainPage(
  { shell, head, style: usual }: Awaited<ReturnType<typeof buildPage>>,
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
