import { expect, it } from 'vitest'
import { placeAbove, places, placesBeneath } from '../../src/desk/contract/places.ts'
import { features } from '../../src/features/all.ts'

const all = [...Object.values(places), ...features.flatMap(({ place }) => place ?? [])]
const titles = (...given: Parameters<typeof placesBeneath>) =>
  placesBeneath(...given).map(({ title }) => title)

it('the bar or another place leads to each place, and the way back leads there', () => {
  expect(titles(all)).toEqual(['Today', 'People', 'Letters', 'Opening', 'Access'])
  for (const place of all.filter(({ above }) => above)) {
    expect(place.link, place.path).toBeTruthy()
    expect(placeAbove(place).above, place.path).toBeUndefined()
  }
})
