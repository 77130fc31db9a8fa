import { expect, it } from 'vitest'
import { languageAmong, languageCode } from '../../src/shared/language-code.ts'

it('reads a language as tools and people write it', () => {
  for (const said of ['pt-BR', 'pt_br', 'PT-br', ' pt-br '])
    expect(languageCode(said)).toBe('pt-BR')
  expect(languageCode('DE')).toBe('de')
  expect(languageCode('zh_hant_tw')).toBe('zh-Hant-TW')
})

it('takes nothing else for a language', () => {
  for (const said of ['', 'German', 'd', 'de-', 'en; q=1', '../de', 'de'.repeat(20), 7, null, {}])
    expect(languageCode(said)).toBeUndefined()
})

it('finds their own language before a wider one', () => {
  expect(languageAmong(['pt', 'pt-BR'], 'pt-BR')).toBe('pt-BR')
  expect(languageAmong(['en', 'de'], 'de-AT')).toBe('de')
  expect(languageAmong(['zh-Hant', 'zh'], 'zh-Hant-TW')).toBe('zh-Hant')
})

it('finds none where nobody offers theirs', () => {
  expect(languageAmong(['en', 'pt-BR'], 'pt')).toBeUndefined()
  expect(languageAmong(['en'], 'english')).toBeUndefined()
  expect(languageAmong(['en', 'de'], undefined)).toBeUndefined()
})
