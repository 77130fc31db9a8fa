import { describe, expect, it } from 'vitest'
import { languageChooser } from '../../src/server/http/accept-language.ts'

const offered = ['de', 'en', 'pt-BR', 'zh-Hant', 'zh-Hans-CN']
const choose = languageChooser(offered)
const chosen = (header: string | undefined) => offered[choose(header)]

describe('the language of a browser', () => {
  it.each<[string | undefined, string]>([
    ['en', 'en'],
    ['EN', 'en'],
    ['en-GB', 'en'],
    ['en-GB-oxendict', 'en'],
    ['fr, en;q=0.8, de;q=0.9', 'de'],
    ['fr;q=0.1,en;q=0.05', 'en'],
    ['en;q=0.8,de;q=0.8', 'en'],
    [' fr ; q=1 , en ; q=0.5 ', 'en'],
    ['pt-BR', 'pt-BR'],
    ['zh-Hant-TW', 'zh-Hant'],
    ['zh-hans-cn-x-private', 'zh-Hans-CN'],
  ])('is found for %j as RFC 4647 looks it up: %s', (header, language) => {
    // What was asked before is known by heart.
    for (let times = 0; times < 2; times++) expect(chosen(header)).toBe(language)
  })

  it.each([
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['zh', 'zh-Hant'],
    ['zh-Hans', 'zh-Hans-CN'],
  ])('is the nearest for %s, where only a narrower one is offered: %s', (header, language) => {
    expect(chosen(header)).toBe(language)
  })

  it.each([
    ...'* fr en;q=0 en;q=0.000 en;q=1.5 en;q=-1 en;q=x en;q= en;level=1'.split(' '),
    ...'en;q=0.5;q=0.9 e eng-lish-and-more-and-more-and-more-and-more x-en'.split(' '),
    ...'__proto__ constructor ;;,,;q='.split(' '),
    undefined,
    '',
    'fr, *;q=0.5',
    '\u0000en',
  ])('is the first where none that is offered is asked for: %j', (header) => {
    expect(chosen(header)).toBe('de')
  })

  it('is read no further than a browser would write', () => {
    expect(chosen(`${'fr,'.repeat(160)}en`)).toBe('en')
    expect(chosen(`${'fr,'.repeat(5000)}en`)).toBe('de')
    for (let i = 0; i < 2000; i++) expect(chosen(`fr-${i}, en`)).toBe('en')
  })

  it('belongs to the language that has its very name, before one that begins with it', () => {
    const two = languageChooser(['pt-BR', 'pt'])
    expect([two('pt'), two('pt-BR'), two('pt-PT')]).toEqual([1, 0, 1])
    expect(languageChooser(['nl'])('de')).toBe(0)
  })

  it('is none that only begins with the same private mark', () => {
    const own = languageChooser(['en', 'de', 'de-x-plain'])
    expect([own('de-x-plain'), own('de-x-other')]).toEqual([2, 1])
  })
})
