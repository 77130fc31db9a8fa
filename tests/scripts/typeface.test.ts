import { create, type Font } from 'fontkit'
import { describe, expect, it } from 'vitest'
import product from '../../product.config.ts'
import { fontFaces } from '../../scripts/build/font-faces.ts'
import { outlinesOf } from '../../scripts/build/outlines.ts'
import { missingLetters, openTypeface } from '../../scripts/build/typeface.ts'
import {
  drawable,
  firstPageTexts,
  furtherPageTexts,
  missingLetterNotes,
} from '../../scripts/build/words.ts'
import type { Product } from '../../src/shared/product.ts'
import { openingDate } from '../../src/web/opening-date.ts'
import { en } from '../../src/words/en.ts'

const typeface = await openTypeface()
/** A product in the one language that it has. */
const alone = (product: Product) => ({ product, path: '', others: {} })

/** The fonts in some style, and the range of letters that each is said to be for. */
async function fontsIn(texts: readonly string[]) {
  const style = await fontFaces(typeface, texts)
  return [...style.matchAll(/base64,([^)]+)\)(?:;unicode-range:([^}]+))?/g)].map(
    ([, font = '', range]) => {
      const { characterSet, variationAxes } = create(Buffer.from(font, 'base64')) as Font
      const letters = characterSet.filter((code) => code < 0xffff).sort((one, other) => one - other)
      return { letters: String.fromCodePoint(...letters), weights: variationAxes.wght, range }
    },
  )
}

describe('the typeface in the document', () => {
  it('has the letters of its texts and no others, from regular to semibold', async () => {
    const [font, ...others] = await fontsIn(['Go!', 'Go on'])
    expect(others).toEqual([])
    expect(font?.letters).toBe(' !Gno')
    expect(font?.weights).toMatchObject({ min: 400, max: 600 })
    expect(font?.range).toBeUndefined()
  })

  it('brings another alphabet along for a name that needs it, each for its own letters', async () => {
    const fonts = await fontsIn(['Go', 'Рынок'])
    expect(fonts.map(({ letters }) => letters)).toEqual(['Go', 'Ркноы'])
    expect(fonts.map(({ range }) => range)).toEqual(['U+47,U+6f', 'U+420,U+43a,U+43d-43e,U+44b'])
  })

  it('has the letters of a countdown, wherever a visitor may be', () => {
    const at = '2027-07-01T09:00'
    const opening = { ...product, opensAt: { at, zone: 'Asia/Tokyo' } }
    const { countdown, dates } = firstPageTexts(alone(opening))
    const letters = new Set([...countdown, ...dates].join(''))
    for (const zone of ['UTC', 'Asia/Tokyo', 'Europe/London', 'America/St_Johns', 'Etc/GMT+5'])
      for (const letter of `${openingDate(`${at}:00+09:00`, 'en-GB', zone)}0123456789`)
        expect([...letters], `${letter} in ${zone}`).toContain(letter)
  })

  it('knows which words of the page may be bold, what follows a sign-up, and what its visitors type', () => {
    const question = { ask: 'Which crust?', kind: 'choice', choices: ['Thick', 'Thin'] } as const
    const emailPlaceholder = 'Zoë@x.example'
    const asking = { ...product, question, emailPlaceholder, links: { Imprint: '/imprint' } }
    const texts = firstPageTexts(alone(asking), { asked: 'page', share: true })
    expect(texts).toMatchObject({
      bold: expect.arrayContaining([product.name, en.heading, en.subscribed, en.submit]),
      answer: [en.answerButton],
      asked: [question.ask],
      further: expect.arrayContaining(['Telegram', en.passOn, 'Thick', 'Thin']),
      regular: expect.arrayContaining([product.pitch, en.failed, 'Imprint']),
      countdown: [],
      dates: [],
    })
    for (const letter of 'maria.k-9_a+b@example.comZoë')
      expect(texts.typed.join('')).toContain(letter)
    const confirmed = firstPageTexts(alone(asking), { asked: 'confirmed' })
    expect(confirmed).toMatchObject({ answer: [], asked: [], further: [] })
  })

  it('knows every word of the further pages', () => {
    const words = furtherPageTexts(alone(product))
    expect(words).toEqual(
      expect.arrayContaining([en.unsubscribeHeading, en.unsubscribeAsk, en.broken]),
    )
    expect(words).not.toContain(en.letterSubject)
    const question = { ask: 'Which crust?', kind: 'choice', choices: ['Thick', 'Thin'] } as const
    expect(furtherPageTexts(alone({ ...product, question }), { asked: 'confirmed' })).toEqual(
      expect.arrayContaining([question.ask, 'Thick', en.answerButton]),
    )
  })

  it('has what visitors type in its regular weight, where no text has it', async () => {
    const style = await fontFaces(typeface, ['Go on'], ['no@1_+'])
    const faces = style.split('@font-face').slice(1)
    expect(faces).toHaveLength(2)
    // Browsers look for a letter among the faces of the same weights only.
    for (const face of faces) expect(face).toContain('font-weight:400 600;')
    // A family of its own, which the styles name next, says by itself which letters it has.
    expect(style).not.toContain('unicode-range')
    expect(faces[1]).toContain('font-family:Second;')
    const [, font = ''] = /base64,([^)]+)/.exec(faces[1] ?? '') ?? []
    const typed = create(Buffer.from(font, 'base64')) as Font
    expect(typed.variationAxes).toEqual({})
    expect(await fontFaces(typeface, ['Go on'], ['no'])).toBe(await fontFaces(typeface, ['Go on']))
    expect(style.startsWith(await fontFaces(typeface, ['Go on']))).toBe(true)
  })

  it('has the figures of a countdown in one weight too, and all of one width', async () => {
    const font = await onlyTyped('0123456789', { isTabular: true })
    const { positions } = font.layout('0123456789', ['tnum'])
    expect(new Set(positions.map(({ xAdvance }) => xAdvance)).size).toBe(1)
    // Of a field nobody asks that.
    const plain = await onlyTyped('0123456789')
    expect(plain.availableFeatures).toEqual([])
  })

  it('says whose it is, once', async () => {
    const [, font = ''] = /base64,([^)]+)/.exec(await fontFaces(typeface, ['Go on'])) ?? []
    expect(create(Buffer.from(font, 'base64')) as Font).toMatchObject({
      familyName: 'Geist',
      postscriptName: 'Geist-Regular',
      copyright: expect.stringContaining('The Geist Project Authors'),
      version: null,
    })
    expect(await onlyTyped('@')).toMatchObject({ familyName: 'Geist', copyright: null })
  })

  it('is Newsreader where a look asks for a serif, in one weight, with Geist for what that lacks', async () => {
    const serif = await openTypeface('serif')
    const faces = (await fontFaces(serif, ['Go', 'Рынок'], ['@'])).split('@font-face').slice(1)
    expect(faces.map((face) => /family:([^;]+)/.exec(face)?.[1])).toEqual([
      ...['Newsreader', 'Geist', 'Second'],
    ])
    const [, font = ''] = /base64,([^)]+)/.exec(faces[0] ?? '') ?? []
    const cut = create(Buffer.from(font, 'base64')) as Font
    expect(cut.variationAxes).toEqual({})
    expect(cut.familyName).toMatch(/^Newsreader/)
    expect(cut.copyright).toContain('The Newsreader Project Authors')
    const [own, ours] = [serif, typeface].map((one) => outlinesOf(one, 'Go', 600))
    expect(own?.paths).not.toBe(ours?.paths)
    // As large, whatever the units of its file are.
    expect((own?.width ?? 0) / (ours?.width ?? 1)).toBeCloseTo(1, 0)
  })

  async function onlyTyped(letters: string, { isTabular = false } = {}) {
    const style = await fontFaces(typeface, [], [letters], { isTabular })
    const [, font = ''] = /base64,([^)]+)/.exec(style) ?? []
    return create(Buffer.from(font, 'base64')) as Font
  }

  it('takes an accent that is written as a mark of its own as the one letter it is', async () => {
    expect(await fontsIn(['e\u0301'])).toMatchObject([{ letters: 'é' }])
  })
})

describe('letters that no file has', () => {
  it('are named once each, as a reader sees them', () => {
    expect(missingLetters(typeface, 'Ünï Ян ễ “5 €”')).toEqual([])
    expect(missingLetters(typeface, 'go 🏳️‍🌈 🏳️‍🌈 交易')).toEqual(['🏳️‍🌈', '交', '易'])
  })

  it('are said in one line each at build, with what the link preview makes of it', () => {
    const notes = missingLetterNotes(typeface, {
      ...product,
      name: 'Kestrel 🦅',
      pitch: '交易终端',
    })
    expect(notes).toEqual([
      'name: our typeface has no 🦅: visitors see their own font there, and the link preview goes without them',
      'pitch: our typeface has no 交 易 终 端: visitors see their own font there, and the link preview goes without the pitch',
    ])
    expect(missingLetterNotes(typeface, product)).toEqual([])
  })

  it('leave a text drawable without its symbols, and not without some of its letters', () => {
    expect(drawable(typeface, 'Kestrel 🦅 flies')).toBe('Kestrel flies')
    expect(drawable(typeface, 'Kestrel 交易')).toBe('')
    expect(drawable(typeface, 'Рынок – your market')).toBe('Рынок – your market')
  })
})

it.each(['Open now', 'North Star', 'Доброе утро', 'a b'])(
  'draws %s, though a space has no outline',
  (text) => {
    const { paths, width } = outlinesOf(typeface, text, 600)
    expect(paths.match(/<path/g)).toHaveLength(text.length)
    expect(width).toBeGreaterThan(text.length * 100)
  },
)
