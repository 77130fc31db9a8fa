import { describe, expect, it } from 'vitest'
import product from '../../../product.config.ts'
import { askingTokens, unsubscribeTokens } from '../../../src/keys/unsubscribe-token.ts'
import { letterDigest, parseLetter } from '../../../src/mail/letter/letter.ts'
import { messages } from '../../../src/mail/letter/message.ts'
import { renderLetter } from '../../../src/mail/letter/render.ts'
import { senderDomain } from '../../../src/mail/sender.ts'
import { escapeHtml } from '../../../src/shared/escape-html.ts'
import type { Product } from '../../../src/shared/product.ts'
import type { Words } from '../../../src/shared/sentences.ts'
import { linkKey } from '../../fixtures/keys.ts'

const whole = `---
subject: We are live
preview: Come in
from: The team <team@example.org>
reply-to: hello@example.org
---
# Hello

Come **in**, [here](https://example.org/start).
`

function letterOf(source: string, mailFrom?: string) {
  const read = parseLetter(source, mailFrom)
  if ('mistakes' in read) throw new Error(read.mistakes.join())
  return read.letter
}

function render(source: string) {
  const rendered = renderLetter(letterOf(source), product, 'cid:logo')
  return { html: rendered.html('https://x/u/abc'), text: rendered.text('https://x/u/abc') }
}

/** A letter that asks, whose page is called as it is. */
const asksBy = (name: string, button: keyof Words) => ({
  ...{ name, button, path: `/${name}` },
  ...{ option: `--${name}`, given: name, note: '' },
})

describe('a letter', () => {
  it('is its settings and its text', () => {
    expect(letterOf(whole)).toEqual({
      subject: 'We are live',
      preview: 'Come in',
      from: 'The team <team@example.org>',
      replyTo: 'hello@example.org',
      markdown: '# Hello\n\nCome **in**, [here](https://example.org/start).',
    })
  })

  it('reads alike with the line ends and the mark of Windows', () => {
    const windows = `\uFEFF${whole.replaceAll('\n', '\r\n')}`
    expect({ ...letterOf(windows), markdown: '' }).toEqual({ ...letterOf(whole), markdown: '' })
  })

  it('takes MAIL_FROM where it names no sender', () => {
    const source = '---\nsubject: Hi\n---\nText'
    expect(letterOf(source, 'us@example.org').from).toBe('us@example.org')
    expect(letterOf(whole, 'us@example.org').from).toBe('The team <team@example.org>')
  })

  const texts: [string, string][] = [
    ['Kestrel: open', 'Kestrel: open'],
    ["It's open: 50 % off # today", "It's open: 50 % off # today"],
    ["'It''s open'", "It's open"],
    ["'It's open'", "It's open"],
    ['"Kestrel: \\"open\\" \\\\o/"', 'Kestrel: "open" \\o/'],
    ['"Kestrel" is "open"', '"Kestrel" is "open"'],
    ['Kestrel is "open"', 'Kestrel is "open"'],
    ["Kestrel is 'open'", "Kestrel is 'open'"],
    ['@home & *more* [soon] > {now}', '@home & *more* [soon] > {now}'],
    ['"a\\nBcc: x@y.de"', 'a\\nBcc: x@y.de'],
    ['7', '7'],
  ]
  for (const [written, subject] of texts)
    it(`takes the subject ${written} as it is meant`, () => {
      expect(letterOf(`---\nsubject: ${written}\nfrom: a@b.de\n---\nText`).subject).toBe(subject)
    })

  it('takes a sender whose name is in quotes', () => {
    const source = '---\n# To all\n\nsubject: Hi\nfrom: "Ada, Bob" <a@example.org>\n---\nText'
    expect(letterOf(source).from).toBe('"Ada, Bob" <a@example.org>')
  })

  const mistakes: [string, string][] = [
    ['Just text', 'must begin with its settings'],
    ['---\nsubject: Hi\nWe are live\n---\nText', 'line 3: is no setting; write it like'],
    ['---\nsubject: Hi\n  there\n---\nText', 'line 3: begins with a space; write a setting on one'],
    ['---\nsubject: Hi\nsubject: Ho\n---\nText', 'line 3: subject is there a second time'],
    ['---\nsubject: >-\n---\nText', 'line 2: write the text of subject on the same line'],
    ['---\nfrom: a@example.org\n---\nText', 'subject: is missing'],
    ['---\nsubject: a\u001b]52;c\nfrom: a@example.org\n---\nText', 'has a control character'],
    [`---\nsubject: ${'x'.repeat(201)}\nfrom: a@example.org\n---\nText`, '201 characters, 200 fit'],
    ['---\nsubject: Hi\n---\nText', 'from: is missing; name a sender here or in MAIL_FROM'],
    ['---\nsubject: Hi\nfrom: nobody\n---\nText', 'from: must be one e-mail address'],
    ['---\nsubject: Hi\nfrom: ada@example.com.\n---\nText', 'from: must be one e-mail address'],
    [
      '---\nsubject: Hi\nfrom: a@example.org, b@example.org\n---\nText',
      'from: must be one e-mail address',
    ],
    [
      '---\nsubject: Hi\nfrom: a@example.org\nreply-to: x\n---\nText',
      'reply-to: must be one e-mail address',
    ],
    ['---\nsubject: Hi\nfrom: a@example.org\nbcc: x@y.de\n---\nText', 'bcc: is not one of'],
    ['---\nsubject: Hi\nfrom: a@example.org\n---\n', 'has no text under its settings'],
    ['---\nsubject: Hi\nfrom: a@example.org\n---', 'has no text under its settings'],
    ['---\nsubject: Hi\nfrom: a@example.org\n---Text', 'must begin with its settings'],
    ['Hi\n---\nsubject: Hi\nfrom: a@example.org\n---\nText', 'must begin with its settings'],
    ['---\nsubject: |\n---\nText', 'line 2: write the text of subject on the same line'],
    ['---\nsubject: > +\nsubject: |+\n---\nText', 'line 3: subject is there a second time'],
    ['---\n#\n\n-: x\n: y\n---\nText', 'line 5: is no setting'],
    ['---\nsub ject: x\n---\nText', 'line 2: is no setting; write it like "subject: We'],
    ['---\nsubject: Hi\nfrom: a@example.org\npreview: {{x y}}\n---\nText', '{{x y}} is not known'],
    ['---\nsubject: {{unsubscribe}}\nfrom: a@example.org\n---\nText', 'in the subject or'],
    ['---\nsubject: Hi\nfrom: a@example.org\n---\nDear {{name}}', '{{name}} is not known'],
    ['---\nsubject: Hi {{name}}\nfrom: a@example.org\n---\nText', '{{name}} is not known'],
  ]
  for (const [source, sentence] of mistakes)
    it(`is refused with a sentence: ${sentence}`, () => {
      expect(parseLetter(source)).toEqual({ mistakes: [expect.stringContaining(sentence)] })
    })

  it('is told every mistake at once', () => {
    const read = parseLetter('---\nbcc: x@y.de\nreply-to: {{x}}\n---\n{{a}} {{b}}')
    expect(read).toEqual({
      mistakes: [
        'bcc: is not one of subject, preview, from, reply-to, invitation-valid',
        'subject: is missing',
        'from: is missing; name a sender here or in MAIL_FROM',
        'reply-to: must be one e-mail address',
        '{{a}} is not known; there are {{unsubscribe}}, {{invitation}} and {{first name|there}}',
        '{{b}} is not known; there are {{unsubscribe}}, {{invitation}} and {{first name|there}}',
      ],
    })
  })

  it('may do without a preview and an address for answers, and have 200 characters of subject', () => {
    const subject = 'x'.repeat(200)
    const source = `---\nsubject:   ${subject}  \nfrom: a@example.org\n---  \n\n Text {a} \n`
    expect(letterOf(source)).toEqual({
      subject,
      preview: '',
      from: 'a@example.org',
      replyTo: undefined,
      markdown: 'Text {a}',
    })
    expect(parseLetter('---\n---\nText', 'a@example.org')).toEqual({
      mistakes: ['subject: is missing'],
    })
  })

  it('has a digest that changes with each of its parts', () => {
    const letter = letterOf(whole)
    const changed = (Object.keys(letter) as (keyof typeof letter)[]).map((part) =>
      letterDigest({ ...letter, [part]: 'something else' }),
    )
    expect(new Set([letterDigest(letter), ...changed]).size).toBe(6)
    expect(letterDigest(letterOf(whole))).toBe(letterDigest(letter))
  })
})

describe('a rendered letter', () => {
  it('says the same in HTML and in plain text, with its looks inline', () => {
    const { html, text } = render(whole)
    expect(html).toMatch(/<h1 style="[^"]+">Hello<\/h1>/)
    expect(html).toMatch(
      /<strong>in<\/strong>, <a style="[^"]+" href="https:\/\/example.org\/start">/,
    )
    expect(html).toContain('Come in')
    expect(html).toContain(`>${escapeHtml(product.name)}<`)
    expect(text).toContain('Hello')
    expect(text).toContain('Come in, here [https://example.org/start].')
    expect(text).not.toContain('<')
  })

  it('ends with an unsubscribe link when it has none of its own', () => {
    const { html, text } = render(whole)
    expect(html.match(/https:\/\/x\/u\/abc/g)).toHaveLength(1)
    expect(text).toContain('Unsubscribe: https://x/u/abc')
  })

  it('keeps its own unsubscribe link and gets no second one', () => {
    const { html, text } = render(`${whole}\n\n[No more]({{unsubscribe}}) or {{unsubscribe}}\n`)
    expect(html).toContain('href="https://x/u/abc">No more</a>')
    expect(html).toContain('href="https://x/u/abc">https://x/u/abc</a>')
    expect(html).not.toContain('Unsubscribe')
    expect(text).toContain('No more [https://x/u/abc]')
    expect(html + text).not.toContain('unsubscribe.invalid')
  })

  it('reads in plain text as it was written, without pictures, and says why it came', () => {
    const all = '# One\n\n## Two\n\n###### Six\n\n![logo](https://x/p.png)<https://x.de>\n'
    const { text } = render(`${whole.split('# Hello')[0]}${all}`)
    expect(text).toMatch(/^One\n+Two\n+Six\n+https:\/\/x\.de\n\n-- \n/)
    const foot = `\n-- \nYou asked to be told when ${product.name} goes live.\nUnsubscribe: https://x/u/abc\n`
    expect(text).toContain(foot)
    const words = 'word '.repeat(100)
    for (const line of render(`${whole}${words}`).text.split('\n'))
      expect(line.length).toBeLessThanOrEqual(72)
  })

  it('shows its preview in an inbox, and no more of the letter', () => {
    const hidden = (source: string) =>
      /<div style="display:none;max-height:0;overflow:hidden;">(.*?)<\/div>/.exec(
        render(source).html,
      )?.[1]
    expect(hidden(whole)).toBe(`Come in${'&#847;&zwnj;&nbsp;'.repeat(60)}`)
    expect(hidden(whole.replace('preview: Come in\n', ''))).toBe('')
  })

  it('gives each element its looks, and leaves it those that it has', () => {
    const all = `# 1\n\n## 2\n\n### 3\n\ntext \`code\` [a](https://x.de)\n\n- ul\n\n1. ol\n\n---\n\n> quote\n\n\`\`\`\npre\n\`\`\`\n\n![p](https://x/p.png)\n\n| th |\n| --- |\n| td |\n\n<p style="color:red">own</p>`
    const { html } = render(`${whole}${all}`)
    const tags = ['h1', 'h2', 'h3', 'p', 'ul', 'ol', 'li', 'hr', 'blockquote', 'img', 'code', 'pre']
    for (const tag of [...tags, 'table', 'th', 'td', 'a'])
      expect(html, tag).toMatch(new RegExp(`<${tag} style="(?!color:red)[a-z-]+:[^"]+"`))
    expect(html).toMatch(/<td style="[^"]+">td</)
    expect(html).toContain('<p style="color:red">own</p>')
    expect(html).not.toMatch(/undefined|Stryker/)
  })

  it('makes a button of a bold link that is a paragraph of its own, and of no other', () => {
    const buttons = (text: string) => render(`${whole}\n${text}`).html.match(/class="button"/g)
    expect(buttons('**[Go](https://x.de)**')).toHaveLength(1)
    expect(buttons('**[Go](https://x.de)**\n\n**[On](https://x.de)**')).toHaveLength(2)
    expect(buttons('[Go](https://x.de)')).toBeNull()
    expect(buttons('**[Go](https://x.de)** now')).toBeNull()
    expect(buttons('**[Go](https://x.de) now**')).toBeNull()
  })

  it('shows characters of HTML in subject and preview as they are', () => {
    const { html } = render(whole.replace('We are live', "'<b>&'").replace('Come in', "'<i>'"))
    expect(html).toContain('<title>&#60;b&#62;&#38;</title>')
    expect(html).not.toContain('<i>')
  })
})

describe('the message of a recipient', () => {
  const make = (announcement: string) =>
    messages({
      letter: letterOf(whole),
      product,
      logo: Buffer.from('png'),
      unsubscribeUrl: 'https://example.org/unsubscribe',
      linkKey,
      announcement,
    })
  const ada = { addressId: 'a'.repeat(22), email: 'ada@example.com' }
  const bob = { addressId: 'b'.repeat(22), email: 'bob@example.com' }

  it('has the same Message-ID every time, and another for every other delivery', () => {
    const ids = [make('launch')(ada), make('launch')(bob), make('other')(ada)].map(
      ({ messageId }) => messageId,
    )
    expect(new Set(ids).size).toBe(3)
    expect(make('launch')(ada).messageId).toBe(ids[0])
    for (const id of ids) expect(id).toMatch(/^<[\w-]{22}@example\.org>$/)
    // Also after an update, in the middle of an announcement.
    expect(ids[0]).toBe('<gKK3QHjG7aRo0yC8XwSEXA@example.org>')
  })

  it('is the letter, from who sends it to who gets it', () => {
    expect(make('launch')(ada)).toMatchObject({
      from: 'The team <team@example.org>',
      replyTo: 'hello@example.org',
      to: 'ada@example.com',
      subject: 'We are live',
      headers: { 'Auto-Submitted': 'auto-generated' },
      html: expect.stringContaining('<img src="cid:logo"'),
      pictures: [{ cid: 'logo', png: Buffer.from('png') }],
    })
  })

  it('has a button that says yes where it asks, by a link of its own, and else none', () => {
    const asking = (language: string | undefined) => {
      const theirs = language ? { ...product, language } : product
      return messages({
        letter: { ...letterOf(whole), asks: asksBy('still-interested', 'stillYes') },
        product: theirs,
        languages: [
          { code: language ?? 'en', path: language ? `/${language}` : '', product: theirs },
        ],
        logo: Buffer.from('png'),
        unsubscribeUrl: 'https://example.org/unsubscribe',
        linkKey,
        announcement: 'still-interested',
      })(ada)
    }
    const yes = askingTokens(linkKey, 'still-interested').sign(ada.addressId)
    const { html, text, headers } = asking(undefined)
    expect(html).toMatch(
      new RegExp(
        `<a class="button"[^>]* href="https://example.org/still-interested/${yes}">Yes, keep me posted</a>`,
      ),
    )
    expect(text).toContain(`Yes, keep me posted [https://example.org/still-interested/${yes}]`)
    const way = unsubscribeTokens(linkKey).sign(ada.addressId)
    expect(html).toContain(`href="https://example.org/unsubscribe/${way}"`)
    expect(headers['List-Unsubscribe']).toContain(way)
    const arabic = asking('ar')
    expect(arabic.html).toContain(`https://example.org/ar/still-interested/${yes}`)
    expect(arabic.text).toContain('نعم، ما زال يهمني')
    expect(arabic.html, 'letters that join').not.toContain('letter-spacing')
    for (const said of [make('launch')(ada).html, make('launch')(ada).text])
      expect(said).not.toContain('still-interested')
  })

  it('has the question of the page, and a button that leads to it, where it asks that', () => {
    const asking = { ...product, question: { ask: 'Tea & cake?', kind: 'text' as const } }
    const asks = {
      ...asksBy('answer', 'toAnswer'),
      textOf: ({ question }: Product) => question?.ask,
    }
    const { html, text } = messages({
      letter: { ...letterOf(whole), asks },
      product: asking,
      languages: [{ code: 'de', path: '/de', product: { ...asking, language: 'de' } }],
      logo: Buffer.from('png'),
      unsubscribeUrl: 'https://example.org/unsubscribe',
      linkKey,
      announcement: 'question',
    })(ada)
    const url = `https://example.org/de/answer/${askingTokens(linkKey, 'answer').sign(ada.addressId)}`
    expect(html).toContain('Tea &#38; cake?')
    expect(html).toMatch(new RegExp(`<a class="button"[^>]* href="${url}">Antworten</a>`))
    expect(text).toContain(`Tea & cake?\n\nAntworten [${url}]`)
  })

  it('is the letter in their language, or the one for all others with a foot in theirs', () => {
    const languages = [
      { code: 'en', path: '/en', product },
      { code: 'de', path: '/de', product: { ...product, language: 'de', pitch: 'Brot' } },
      { code: 'ar', path: '/ar', product: { ...product, language: 'ar' } },
    ] as const
    const make = messages({
      letter: letterOf(whole),
      translations: [{ code: 'de', letter: letterOf(whole.replace('We are live', 'Es geht los')) }],
      languages,
      product,
      logo: Buffer.from('png'),
      unsubscribeUrl: 'https://example.org/unsubscribe',
      linkKey,
      announcement: 'launch',
    })
    const german = make({ ...ada, language: 'de-AT' })
    expect(german).toMatchObject({ subject: 'Es geht los', language: 'de' })
    expect(german.html).toContain('<html lang="de">')
    expect(german.text).toContain('Abmelden: https://example.org/de/unsubscribe/')
    expect(german.headers['List-Unsubscribe']).toContain('https://example.org/de/unsubscribe/')
    const arabic = make({ ...ada, language: 'ar' })
    expect(arabic).toMatchObject({ subject: 'We are live', language: 'en' })
    expect(arabic.html).toContain('<html lang="en">')
    expect(arabic.html).toContain('<td class="foot" lang="ar" dir="rtl"')
    expect(arabic.text).toContain('https://example.org/ar/unsubscribe/')
    for (const language of [undefined, 'fr'])
      expect(make({ ...ada, language })).toMatchObject({
        subject: 'We are live',
        language: 'en',
        text: expect.stringContaining('https://example.org/en/unsubscribe/'),
      })
    // The same delivery, whatever it is in.
    expect(german.messageId).toBe(arabic.messageId)
  })

  it('carries a one-click link of its own that names no address', () => {
    const { headers, html, text } = make('launch')(ada)
    const link = `https://example.org/unsubscribe/${unsubscribeTokens(linkKey).sign(ada.addressId)}`
    expect(headers).toMatchObject({
      'List-Unsubscribe': `<${link}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
    expect(html).toContain(link)
    expect(text).toContain(link)
    expect(link).not.toContain('ada')
  })
})

describe('the domain of a sender', () => {
  it('is the one that the address stands for', () => {
    expect(senderDomain('The team <Team@Example.ORG>')).toBe('example.org')
    expect(senderDomain('team@example.org')).toBe('example.org')
    expect(senderDomain('')).toBeUndefined()
    for (const several of ['a@example.org, b@example.org', 'We: a@example.org, b@example.org;'])
      expect(senderDomain(several)).toBeUndefined()
  })
})
