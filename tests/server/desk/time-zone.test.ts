/** @module-tag thorough */
import { expect, it } from 'vitest'
import { places } from '../../../src/desk/contract/places.ts'
import { features } from '../../../src/features/all.ts'
import { startDeskSite } from '../../fixtures/desk-site.ts'

it('every page of the desk is there where TZ is set and empty', async () => {
  const desk = await startDeskSite({ env: { TZ: '' } })
  const headers = await desk.session()
  for (const { path } of [
    ...Object.values(places),
    ...features.flatMap(({ place }) => place ?? []),
  ]) {
    const { status, body } = await desk.ask(path, { headers })
    expect(status, path).toBe(200)
    expect(body).not.toContain('Etc/Unknown')
  }
})
