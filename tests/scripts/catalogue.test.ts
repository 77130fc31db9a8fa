import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import ours from '../../product.config.ts'
import { renderHead } from '../../scripts/build/document.ts'
import { loadPrerender } from '../../scripts/build/prerender.ts'
import { parseLetter } from '../../src/mail/letter/letter.ts'
import { renderLetter } from '../../src/mail/letter/render.ts'
import { languagesOf } from '../../src/product/languages.ts'
import { outcomes } from '../../src/shared/outcome.ts'
import type { Product } from '../../src/shared/product.ts'
import { confirmationLetter } from '../../src/sign-up/confirmation-letter.ts'
import { confirmPageSteps } from '../../src/site/site.ts'
import { en } from '../../src/words/en.ts'
import { ids, linkKey } from '../fixtures/keys.ts'

const marked = (text: string) => `⟦${text}⟧`

/** A product of which every sentence can be told from what stands in the code. */
const product: Product = {
  ...ours,
  name: marked('name'),
  pitch: marked('pitch'),
  description: marked('description'),
  emailPlaceholder: marked('placeholder'),
  postalAddress: marked('address'),
  links: { [marked('link')]: '/privacy' },
  words: Object.fromEntries(Object.entries(en).map(([name, text]) => [name, marked(text)])),
}

const [language] = languagesOf(product)

/** Everything that a reader sees or hears of a document. */
function saidIn(html: string): string {
  const said = [...html.matchAll(/\s(?:alt|aria-label|placeholder|title)="([^"]*)"/g)]
  const tags =
    /<meta (?:name|property)="(?:description|og:(?:title|description|image:alt))" content="([^"]*)"/g
  const text = html.replace(/<(script|style)[^>]*>.*?<\/\1>/gs, '').replace(/<[^>]*>/g, ' ')
  return [...said, ...html.matchAll(tags)].map(([, one]) => one).join(' ') + text
}

/** What of a text is in no marks. Some marks are within others. */
function unmarked(text: string): string {
  const less = text.replace(/⟦[^⟦⟧]*⟧/g, ' ')
  return less === text ? text.replace(/https:\S+|&\w+;/g, '') : unmarked(less)
}

const lettersIn = (text: string) => unmarked(text).match(/\p{L}+/gu) ?? []

it('no page has a word that is not in the catalogue', {
  tags: 'thorough',
  timeout: 60_000,
}, async () => {
  for (const mode of ['embedded', 'firebase'] as const) {
    const page = await loadPrerender({ mode, confirm: true })
    const { body, openBody } = page.renderFirstPage(language, '')
    const pages = [
      ...[body, openBody, page.renderNotFoundPage(language)],
      ...outcomes.map((outcome) => page.renderOutcomePage(language, outcome)),
      ...outcomes.map((outcome) => page.renderOutcomePage(language, outcome, { isOpen: true })),
      ...page.renderLinkPages(language).map(({ body }) => body),
      ...confirmPageSteps.map((step) => page.renderConfirmPage(language, step)),
      renderHead(language, 'https://example.com'),
      renderHead(language, 'https://example.com', { isOpen: true }),
    ]
    for (const html of pages) {
      expect(saidIn(html)).toContain('⟦')
      expect(lettersIn(saidIn(html))).toEqual([])
    }
  }
})

it('no letter that asks for a yes has one', () => {
  const letter = confirmationLetter({
    product,
    from: 'hello@example.com',
    linkKey,
    confirmUrl: 'https://example.com/confirm',
  })(ids.of('ada@example.com'), {
    email: 'ada@example.com',
    askedAt: new Date(),
    letters: 1,
    shown: { words: '', page: '', language: '' },
  })
  for (const text of [letter.subject, letter.text, saidIn(letter.html)])
    expect(lettersIn(text)).toEqual([])
})

it('the foot of every other letter has none', () => {
  const read = parseLetter('---\nsubject: ⟦s⟧\nfrom: a@example.com\n---\n⟦text⟧')
  if (!('letter' in read)) throw new Error(read.mistakes.join())
  const rendered = renderLetter(read.letter, product, 'cid:logo')
  expect(lettersIn(saidIn(rendered.html('https://example.com')))).toEqual([])
  expect(lettersIn(rendered.text('https://example.com'))).toEqual([])
})

it('the code of the page holds no sentence, in whatever state', () => {
  const root = join(import.meta.dirname, '../..')
  const found = globSync('src/web/**/*.{ts,tsx}', { cwd: root }).flatMap((file) => {
    const code = readFileSync(join(root, file), 'utf8').replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, '')
    const texts = code.matchAll(
      />\s*([A-Za-z][^<>{}=();]*)<\/|(?<!Error\()['"`]([A-Z][a-z]+ [^'"`]*)['"`]/g,
    )
    return [...texts].map(([text]) => `${file}: ${text}`)
  })
  expect(found).toEqual([])
})
