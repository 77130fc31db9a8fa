import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import product from '../../../product.config.ts'
import { letterDigest, parseLetter } from '../../../src/mail/letter/letter.ts'
import { messages } from '../../../src/mail/letter/message.ts'
import { mimeOf } from '../../../src/mail/mime.ts'
import { firstNameFrom } from '../../../src/people/first-name.ts'
import { ids, linkKey } from '../../fixtures/keys.ts'

const source = (text: string, subject = 'Ready') =>
  `---\nsubject: ${subject}\nfrom: a@example.org\n---\n${text}\n`

function letterOf(text: string, subject?: string) {
  const read = parseLetter(source(text, subject))
  if ('mistakes' in read) throw new Error(read.mistakes.join('\n'))
  return read.letter
}

const mistakesOf = (text: string, subject?: string) => {
  const read = parseLetter(source(text, subject))
  return 'mistakes' in read ? read.mistakes : []
}

/** The letter as its reader gets it, from the bytes of its message. */
async function read(text: string, firstName: string | undefined, subject?: string) {
  const letter = letterOf(text, subject)
  const of = { letter, product, linkKey, logo: Buffer.from('png'), announcement: 'ready' }
  const make = messages({ ...of, unsubscribeUrl: 'https://x.example/u' })
  const email = 'ada@example.com'
  const mime = await mimeOf(make({ addressId: ids.of(email), email, firstName }))
  const { html = '', text: plain = '', subject: heading, headers } = await PostalMime.parse(mime)
  return { html, plain, heading, names: headers.map(({ key }) => key) }
}

describe('a first name in a letter', () => {
  it.each([
    ['Hi {{first name|there}}!', 'Hi Ada!', 'Hi there!'],
    ['# {{first name|Friend}}', 'Ada', 'Friend'],
    ['**{{first name| dear reader }}**, look', 'Ada, look', 'dear reader, look'],
    ['| a | b |\n|---|---|\n| {{first name|you}} | c |', 'Ada', 'you'],
    ['{{first name|you}} and {{first name|you all}}', 'Ada and Ada', 'you and you all'],
  ])('stands in %j, or what is said instead', async (text, named, unnamed) => {
    const [ada, nobody] = [await read(text, 'Ada'), await read(text, undefined)]
    expect(ada.plain).toContain(named)
    expect(nobody.plain).toContain(unnamed)
    for (const { html, plain } of [ada, nobody])
      expect(html + plain).not.toMatch(/first ?name|\{\{|0x/)
  })

  it('stands in the subject and the preview', async () => {
    const { heading, html } = await read('Hi', 'Zoë 🎉', '{{first name|You}}, we are live')
    expect(heading).toBe('Zoë 🎉, we are live')
    expect(html).toContain('<title>Zoë 🎉, we are live</title>')
    const nobody = await read('Hi', undefined, '{{first name|You}}, we are live')
    expect(nobody.heading).toBe('You, we are live')
  })

  it('is text, whatever stands in it', async () => {
    for (const name of [
      '*Ada*',
      '_Ada_ & Co',
      '<b>Ada</b>',
      '" onload="x',
      '[a](http://evil)',
      '{{unsubscribe}}',
    ]) {
      // What a store hands on is clean; this is what would come of one that is not.
      const { html, plain } = await read('Hi **{{first name|there}}**.', name)
      expect(plain).toContain(`Hi ${name}.`)
      expect(html).not.toMatch(/<b>|<em>|href="http:\/\/evil|" onload=/)
      expect(html).toContain(
        name.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
      )
    }
  })

  it('adds no header to the message', async () => {
    const evil = 'Ada\r\nBcc: eve@example.com\r\n\r\nbody'
    const plain = await read('Hi', 'Ada', '{{first name|You}}, hello')
    const { names, heading } = await read('Hi', firstNameFrom(evil), '{{first name|You}}, hello')
    expect(names).toEqual(plain.names)
    expect(heading).toBe('You, hello')
    expect((await read('Hi', evil, '{{first name|You}}, hello')).names).toEqual(plain.names)
  })

  it('changes no digest: the letter is the same for everybody', () => {
    const letter = letterOf('Hi {{first name|there}}')
    expect(letterDigest(letter)).toBe(letterDigest(letterOf('Hi {{first name|there}}')))
    expect(letterDigest(letter)).not.toBe(letterDigest(letterOf('Hi {{first name|you}}')))
  })

  it.each([
    [
      'Hi {{frist name|there}}',
      '{{frist name|there}} is not known; there are {{unsubscribe}}, {{invitation}} and {{first name|there}}',
    ],
    [
      'Hi {{First Name|there}}',
      '{{First Name|there}} is not known; there are {{unsubscribe}}, {{invitation}} and {{first name|there}}',
    ],
    [
      'Hi {{first name}}',
      '{{first name}} must also say what readers without a name get, in up to 60 characters, as {{first name|there}} does',
    ],
    [
      'Hi {{first name| }}',
      '{{first name| }} must also say what readers without a name get, in up to 60 characters, as {{first name|there}} does',
    ],
    ['Hi {{first name|there}', '"{{first name|there}" is not whole: write {{first name|there}}'],
    ['Hi {first name|there}', '"{first name|there}" is not whole: write {{first name|there}}'],
    ['Hi first name|there}}', '"first name|there}}" is not whole: write {{first name|there}}'],
    [
      `Hi {first name|${'x'.repeat(100)}}`,
      `"{first name|${'x'.repeat(28)}" is not whole: write {{first name|there}}`,
    ],
    [
      '[x](https://a.example/?n={{first name|there}})',
      '{{first name|there}} cannot stand in the address of a link',
    ],
    [
      'https://a.example/{{first name|there}}',
      '{{first name|there}} cannot stand in the address of a link',
    ],
    [
      '<a href="https://a.example/{{first name|there}}">x</a>',
      '{{first name|there}} cannot stand in the address of a link',
    ],
  ])('has one clear line for %j', (text, mistake) => {
    expect(mistakesOf(text)).toEqual([mistake])
  })

  it('has one clear line for a mistake in the subject', () => {
    expect(mistakesOf('Hi', '{{name|You}}, hello')).toEqual([
      '{{name|You}} is not known; there are {{unsubscribe}}, {{invitation}} and {{first name|there}}',
    ])
    expect(mistakesOf('Hi', '{{first name}}, hello')).toHaveLength(1)
  })
})

describe('a first name of a file', () => {
  it.each([
    ['Ada', 'Ada'],
    ['  Mary   Ann ', 'Mary Ann'],
    ["Anne-Marie O'Neil", "Anne-Marie O'Neil"],
    ['J. R.', 'J. R.'],
    ['\u202eadA\u202c', 'adA'],
    ['\u2066شيماء\u2069', 'شيماء'],
    ['Ada\r\nBob', 'Ada Bob'],
    ['A\u0000da\u0007', 'A da'],
    ['👩‍🚀 Ada', '👩‍🚀 Ada'],
    ['Zoe\u0308', 'Zoë'],
    ['Ada \ud800', 'Ada'],
    ['Nan', 'Nan'],
    ['Na', 'Na'],
    ['Dr. Ada', 'Dr. Ada'],
    ["Ada Mc'Fee", "Ada Mc'Fee"],
  ])('%j is kept as %j', (text, name) => {
    expect(firstNameFrom(text)).toBe(name)
    expect(firstNameFrom(name)).toBe(name)
  })

  it.each([
    ...'---, [click](http://evil), http://evil.example, win at evil.example now'.split(', '),
    ...'www.evil, ada@example.com, <script>alert(1)</script>, {{unsubscribe}}'.split(', '),
    ...'J?rgen, JÃ¼rgen, RenÃ©, evil．com, evil。com, evil｡com, evil․com'.split(', '),
    ...'evil1.com, ｅｖｉｌ．ｃｏｍ, &lt;b&gt;, 12345, test1, Test User, null null'.split(', '),
    ...'1.1.1.1, 😀, NULL, Undefined, nan, NA, N/A, #N/A, None, (none), unknown'.split(', '),
    ...'test, Dr., %%FNAME%%, *|FNAME|*, [[name]], {contact.firstname}'.split(', '),
    ...'%FIRSTNAME%, $firstName$, <<First Name>>, -fname-, $FNAME'.split(', '),
    ...'~Contact.FirstName~, #name#, First Name, 名前, TRUE, FALSCH, keine Angabe'.split(', '),
    ...'désconnu?, Señor'.split(', '),
    ...['', ' \t\n', 'Ada\r\nBcc: eve@example.com', 'J\ufffdrgen', 'evil.c\u00adom', 'a\u200b@b'],
    ...['x'.repeat(61), 7, null, undefined],
  ])('%j is no name: a link, an address, markup or more than 60 characters', (text) => {
    expect(firstNameFrom(text)).toBeUndefined()
  })
})
