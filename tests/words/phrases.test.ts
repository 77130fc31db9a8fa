import { expect, it } from 'vitest'
import { ja } from '../../src/words/ja.ts'
import { phrased, unphrased } from '../../src/words/phrases.ts'
import { products } from '../fixtures/products.ts'

const shown = (text: string) =>
  phrased(text, 'ja').replaceAll('\u200b', '|').replaceAll('\u2060', '+')

it('a Japanese sentence breaks between its phrases, within no word, and not after an adjective', () => {
  expect(shown(products.hatsukaze.pitch)).toBe(
    '季節の|一服を、|静かな+庭とともに。|予約制の|小さな+茶房を|京都に|開きます。',
  )
  expect(shown('公開のお知らせをいち早くお届けします')).toBe(
    '公開の|お知らせを|いち早く|お届けします',
  )
  expect(shown('しばらくしてからもう一度お試しください。')).toBe(
    'しばらくしてから|もう一度お試しください。',
  )
  expect(shown('それでもなお続きます。')).toBe('それでもなお|続きます。')
  expect(shown('ここでおビールを')).toBe('ここで|おビールを')
  expect(shown('回答として受け取れませんでした。')).toBe('回答として|受け取れませんでした。')
})

it('no phrase of ours is wider than a small phone, and no sign of the end of a sentence begins one', () => {
  for (const sentence of Object.values(ja)) {
    const phrases = phrased(sentence, 'ja').split(/[\u200b ]/)
    expect(phrases.join('').replaceAll(/[\u00a0\u2060]/g, '')).toBe(
      sentence.replaceAll(/[\u200b ]/g, ''),
    )
    for (const phrase of phrases) {
      expect(phrase.replaceAll(/\{\w+\}/g, '').length, sentence).toBeLessThanOrEqual(13)
      expect(phrase).not.toMatch(/^[、。ーっゃゅょぁぃぅぇぉ！？）」]/)
    }
  }
})

it('no part of a Japanese heading is wider than a small phone', () => {
  for (const [name, said] of Object.entries(ja))
    if (name.endsWith('Heading'))
      for (const part of said.split('\u200b')) expect(part.length, said).toBeLessThanOrEqual(7)
})

it('a number stays with what it counts', () => {
  expect(shown('メールにある 6 桁の数字')).toBe('メールにある 6\u00a0桁の|数字')
})

it('no line ends after the hyphen of a short part of a word, and one may after that of a long one', () => {
  const joined = (text: string, language: string) =>
    phrased(text, language).replaceAll('\u2060', '+')
  expect(joined('Bitte eine gültige E-Mail-Adresse eingeben.', 'de')).toBe(
    'Bitte eine gültige E-+Mail-+Adresse eingeben.',
  )
  expect(joined('Une lettre est peut-être fausse.', 'fr')).toBe('Une lettre est peut-+être fausse.')
  expect(joined('Sonntags-Brot, Nr. 5-6 – und so.', 'de')).toBe('Sonntags-Brot, Nr. 5-6 – und so.')
})

it('sentences in English stay as they are', () => {
  expect(phrased('The all-in-one terminal.', 'en')).toBe('The all-in-one terminal.')
  expect(phrased({ failed: '失敗しました。' })).toEqual({ failed: '失敗しました。' })
})

it('what was set in phrases can be had as it was written', () => {
  for (const [language, text] of [
    ['ja', products.hatsukaze.pitch],
    ['ja', 'メールにある 6 桁の数字'],
    ['de', 'Bitte eine gültige E-Mail-Adresse eingeben.'],
    ['fr', 'Peut-être\u00a0: 6\u00a0%.'],
  ] as const)
    expect(unphrased(phrased(text, language))).toBe(text)
})
