import { expect, it } from 'vitest'
import { placeAbove, places, placesBeneath } from '../../src/desk/contract/places.ts'

const all = { question: true, referrals: true }
const titles = (...given: Parameters<typeof placesBeneath>) =>
  placesBeneath(...given).map(({ title }) => title)

it('the bar or another place leads to each place, and the way back leads there', () => {
  expect(titles(all)).toEqual(['Today', 'People', 'Letters', 'Opening', 'Access'])
  for (const [name, place] of Object.entries(places)) {
    if (place.above === undefined) continue
    if (place.needs) expect(Object.keys(all), name).toContain(place.needs)
    expect(place.link, name).toBeTruthy()
    expect(placeAbove(name as keyof typeof places).above, name).toBeUndefined()
  }
})

it('nothing leads to what the product has not', () => {
  expect(titles(all, 'people')).toEqual(['Friends', 'Answers'])
  expect(titles({ question: false, referrals: false }, 'people')).toEqual([])
  expect(titles({ question: false, referrals: true }, 'people')).toEqual(['Friends'])
})
