import { expect, it } from 'vitest'
import { links } from '../../../src/cli/commands/links.ts'
import { sourceIn } from '../../../src/shared/source.ts'
import { OperatorError } from '../../../src/terminal/operator-error.ts'
import { listening } from '../../fixtures/spoken.ts'

const url = 'https://example.com'

async function said(options: Partial<Parameters<typeof links>[0]>) {
  const { out, result } = listening()
  expect(await links({ url, ...options }, out)).toBe(0)
  return result()
}

it('prints a link for each place, which the page counts as that place', async () => {
  const lines = (await said({})).trim().split('\n')
  expect(lines).toContain('Hacker News       https://example.com/?ref=hn')
  const found = lines.map((line) => sourceIn(line.split(/\s{2,}/)[1])?.source)
  expect(found).toHaveLength(14)
  expect(new Set(found).size).toBe(14)
})

it('takes the address without the name of its option', async () => {
  const found = await said({ url: '', places: ['https://opens.example/', 'Podcast'] })
  expect(found).toContain('https://opens.example/?ref=hn')
  expect(found).toContain('https://opens.example/?ref=podcast')
})

it('takes further places, a campaign for all, and gives JSON', async () => {
  const found = JSON.parse(await said({ places: ['My Podcast'], campaign: 'Launch', json: true }))
  const { place, link } = found.at(-1)
  expect(place).toBe('My Podcast')
  expect(sourceIn(link)).toEqual({ source: 'my podcast', campaign: 'launch' })
  for (const one of found) expect(sourceIn(one.link)?.campaign).toBe('launch')
})

it.each([
  [{ url: '' }, /set PUBLIC_URL/],
  [{ url: 'example.com' }, /must be like https:/],
  [{ places: ['ada@example.com'] }, /^The place: is "ada@example.com"/],
  [{ campaign: '\u200b' }, /^--campaign: is/],
])('says what is wrong with %j', async (options, message) => {
  await expect(said(options)).rejects.toThrow(OperatorError)
  await expect(said(options)).rejects.toThrow(message)
})
