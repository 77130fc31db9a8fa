import { expect, it } from 'vitest'
import { ja } from '../../src/words/ja.ts'
import { phrased } from '../../src/words/phrases.ts'
import { products } from '../fixtures/products.ts'

const shown = (text: string) => phrased(text, 'ja').replaceAll('\u200b', '|')

it('a Japanese sentence breaks between its phrases, and within no word', () => {
  expect(shown(products.hatsukaze.pitch)).toBe(
    '季節の|一服を、|静かな|庭とともに。|予約制の|小さな|茶房を|京都に|開きます。',
  )
  expect(shown('公開のお知らせをいち早くお届けします')).toBe(
    '公開の|お知らせを|いち早く|お届けします',
  )
  expect(shown('しばらくしてからもう一度お試しください。')).toBe(
    'しばらくしてから|もう一度お試しください。',
  )
  expect(shown('回答として受け取れませんでした。')).toBe('回答として|受け取れませんでした。')
})

it('no phrase of ours is wider than a small phone, and no sign of the end of a sentence begins one', () => {
  for (const sentence of Object.values(ja)) {
    const phrases = phrased(sentence, 'ja').split(/[\u200b ]/)
    expect(phrases.join('')).toBe(sentence.replaceAll(/[\u200b ]/g, ''))
    for (const phrase of phrases) {
      expect(phrase.replaceAll(/\{\w+\}/g, '').length, sentence).toBeLessThanOrEqual(13)
      expect(phrase).not.toMatch(/^[、。ーっゃゅょぁぃぅぇぉ！？）」]/)
    }
  }
})

it('sentences in another language stay as they are', () => {
  expect(phrased('Every market, one screen.', 'en')).toBe('Every market, one screen.')
  expect(phrased({ failed: '失敗しました。' })).toEqual({ failed: '失敗しました。' })
})
