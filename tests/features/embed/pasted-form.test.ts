import { brotliCompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { joinScript } from '../../../src/features/embed/join-script.ts'
import { pastedForm } from '../../../src/features/embed/pasted-form.ts'
import type { Product } from '../../../src/shared/product.ts'
import { languages } from '../../../src/words/catalogue.ts'

const given = { path: '', publicUrl: 'https://example.com', script: 'script', confirm: false }
const productIn = (language: string) => ({ name: 'Meridian', language }) as Product
const bytes = (text: string) => Buffer.byteLength(text)

it('is an ordinary form of some 300 bytes at most, and of 600 with its way back, in each language', () => {
  for (const language of Object.keys(languages)) {
    const product = productIn(language)
    expect(bytes(pastedForm({ ...given, product }).form), language).toBeLessThan(310)
    const page = 'https://blog.example.com/'
    const most = pastedForm({ ...given, product, page, confirm: true }).form
    expect(bytes(most), language).toBeLessThanOrEqual(600)
  }
})

it('says what the page says, and nothing that a style or a script of ours needs', () => {
  const { form, script } = pastedForm({ ...given, path: '/ar', product: productIn('ar') })
  const { offer, label, submit } = languages.ar ?? {}
  expect(form).toBe(`<form action="https://example.com/ar/join" method=post lang="ar" dir="rtl">
<p>${offer}</p>
<label>${label} <input type=email name=email autocomplete=email required></label>
<button>${submit}</button>
</form>`)
  expect(script).toMatch(
    /^<script src="https:\/\/example\.com\/assets\/join-[\w-]{8}\.js" integrity="sha384-[\w+/]{64}" crossorigin async><\/script>$/,
  )
})

it('comes back to the thanks in its language, which say that there is a letter where there is one', () => {
  const page = 'https://blog.example.com/'
  const { subscribed = '', letterSent = '' } = languages.ar ?? {}
  for (const confirm of [false, true]) {
    const { form } = pastedForm({ ...given, product: productIn('ar'), page, confirm })
    const thanks = confirm ? `${subscribed} ${letterSent}` : subscribed
    expect(form).toContain(`<div id=joined hidden=until-found>${thanks}</div>`)
  }
})

it('keeps words of a founder from becoming markup, in the form and in the script', () => {
  const words = { offer: '<b>"News" & more</b>', submit: "I'm in", submitting: '</script>' }
  const product = { ...productIn('en'), words } as Product
  const { form } = pastedForm({ ...given, product, page: 'https://blog.example.com/?a="b' })
  expect(form).toContain('<p>&#60;b&#62;&#34;News&#34; &#38; more&#60;/b&#62;</p>')
  expect(form).toContain("<button>I'm in</button>")
  expect(form).toContain('value="https://blog.example.com/?a=%22b#joined"')
})

it('has one script a language, with the five sentences and where it posts', () => {
  for (const [language, words] of Object.entries(languages)) {
    const script = joinScript('()=>0', words, { path: `/${language}`, confirm: true })
    for (const said of [words.submitting, words.invalidEmail, words.failed, words.letterSent])
      expect(script).toContain(JSON.stringify(said).slice(1, -1))
    expect(script).toContain(`"/${language}/join"`)
    expect(brotliCompressSync(script).length).toBeLessThan(500)
  }
})
