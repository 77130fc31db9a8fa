import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import product from '../../product.config.ts'
import { checkLetter, findPicture } from '../../src/checks/letter.ts'
import { checkPostalAddress } from '../../src/checks/mail.ts'
import { renderLetter } from '../../src/mail/letter/render.ts'
import { findingSaid } from '../fixtures/finding-said.ts'

const ours = { ...product, postalAddress: 'Meridian, 1 Market Street, Springfield' }
const letter = (markdown: string) => ({
  subject: 'Hi',
  preview: '',
  from: 'a@example.org',
  replyTo: undefined,
  markdown,
})
const details = async (markdown: string, isPicture = async (_url: string) => true) =>
  (await checkLetter(letter(markdown), ours, isPicture)).map((found) => findingSaid(found).detail)
const render = (markdown: string, other = {}) => {
  const rendered = renderLetter(letter(markdown), { ...ours, ...other }, 'cid:logo')
  return { html: rendered.html('https://x/u'), text: rendered.text('https://x/u') }
}

describe('the check of a letter', () => {
  it('finds nothing in one whose links and pictures are whole', async () => {
    const fine =
      '[a](https://example.com/?a=1&b=2) <mail@example.com> [t](tel:+1) [no]({{unsubscribe}}) ![p](https://example.com/p.png)'
    expect(await details(fine)).toEqual([])
  })

  const broken: [string, RegExp][] = [
    ['[a](/start)', /leads to "\/start"; write its whole address/],
    ['[a](www.example.com)', /leads to "www\.example\.com"/],
    ['[a](start.html "title")', /leads to "start\.html"/],
    ["<a class=x href='//example.com'>a</a>", /leads to "\/\/example\.com"/],
    ['[a](#top)', /leads to "#top"/],
    ['![p](p.png) words', /the picture "p\.png" is not on the web/],
    ['![p](file:///home/p.png) words', /the picture "file:/],
    ['<img alt="" src="data:image/png;base64,x"> words', /the picture "data:/],
    [
      '![p](https://example.com/p.png)',
      /^it has no words: readers who see no pictures get an empty/,
    ],
    ['![p](http://example.com/p.png) words', /the picture "http:\/\/example\.com\/p\.png" is not/],
    ['![p](xhttps://example.com/p.png) words', /the picture "xhttps/],
    ['<img src=p.png> words', /the picture "p\.png"/],
    ["<IMG alt='' SRC = 'p.png'> words", /the picture "p\.png"/],
    ['<a href="https:///x">a</a>', /leads to "https:\/\/\/x"/],
    ['<a href="x?a=1&amp;b=2">a</a>', /leads to "x\?a=1&b=2"/],
    ['<a href="">a</a>', /leads to ""/],
    ['[a](mailto:)', /leads to "mailto:"/],
    ['[a](tel:)', /leads to "tel:"/],
    ['[a](xmailto:a@b.de)', /leads to "xmailto/],
    [`[a](/${'x'.repeat(300)})`, /leads to ".{60,80}"; write/],
  ]
  for (const [markdown, problem] of broken)
    it(`has a problem with ${markdown}`, async () => {
      expect(await details(markdown)).toEqual([expect.stringMatching(problem)])
    })

  it('asks whether there is a picture, and takes a page for none', async () => {
    const server = createServer((request, response) => {
      const type = request.url === '/p.png' ? 'image/png' : 'text/html'
      response.writeHead(request.url === '/gone.png' ? 404 : 200, { 'content-type': type }).end('x')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
    const { port } = server.address() as AddressInfo
    const asked = async (name: string) =>
      (
        await details(`![p](https://x/${name}) words`, (url) =>
          findPicture(url.replace('https://x', `http://127.0.0.1:${port}`)),
        )
      ).length
    await expect(findPicture('http://127.0.0.1:1/p.png')).resolves.toBe(false)
    expect(await asked('p.png')).toBe(0)
    expect(await asked('gone.png')).toBe(1)
    expect(await asked('page')).toBe(1)
  })

  it('says which picture there is none of, and of each', async () => {
    const pictures = '![p](https://example.com/p.png) words ![q](HTTPS://example.com/q.png)'
    const asked: string[] = []
    const none = async (url: string) => asked.push(url) === 0
    expect(await details(pictures, none)).toEqual([
      'there is no picture at https://example.com/p.png',
      'there is no picture at HTTPS://example.com/q.png',
    ])
    expect(asked).toHaveLength(2)
  })

  it('takes an element for no other that begins alike', async () => {
    expect(await details('<abbr href="x">a</abbr> <a name="x">b</a> <image src="x"> c')).toEqual([])
  })

  it('finds it too long where Gmail would cut off the link to unsubscribe, counted in bytes', async () => {
    const lengthOf = (markdown: string) => render(markdown).html.length
    const room = 100_000 - lengthOf('') - 200
    expect(await details('x'.repeat(room))).toEqual([])
    const tooLong = /^is 10\d kB of HTML: Gmail shows about the first 100 kB/
    for (const markdown of ['x'.repeat(100_000), 'é'.repeat(50_000), '界 '.repeat(26_000)])
      expect(await details(markdown)).toEqual([expect.stringMatching(tooLong)])
  })

  it('names the law where there is no postal address', () => {
    expect(checkPostalAddress(ours)).toEqual([])
    const [finding] = checkPostalAddress({}).map(findingSaid)
    expect(finding).toMatchObject({
      verdict: 'note',
      detail: expect.stringContaining('16 CFR 316'),
    })
  })
})

describe('a letter, as it is read', () => {
  it('keeps the lines of a signature, in HTML and in plain text', () => {
    const { html, text } = render('Yours\n\nAda Lovelace\nFounder\nMeridian')
    expect(html).toContain('Ada Lovelace<br>Founder<br>Meridian')
    expect(text).toContain('Ada Lovelace\nFounder\nMeridian')
  })

  it('keeps the columns of a table in plain text', () => {
    const { text } = render('| Plan | Price |\n| --- | --- |\n| Early bird | 9 |\n| Later | 19 |')
    expect(text).toMatch(/Plan +Price\nEarly bird +9\nLater +19/)
  })

  it('has the postal address at its foot, and none where there is none', () => {
    const { html, text } = render('Hi', { postalAddress: 'A & B, 1 Market Street' })
    expect(html).toContain('A &#38; B, 1 Market Street')
    expect(text).toContain('\nA & B, 1 Market Street\n')
    expect(render('Hi', { postalAddress: undefined }).html).not.toContain('Market')
  })
})
