/** @module-tag thorough */
import { expect, it } from 'vitest'
import { deskPaths } from '../../../src/desk/contract/pages.ts'
import { startDeskSite } from '../../fixtures/desk-site.ts'

it('every page of the desk is there where TZ is set and empty', async () => {
  const desk = await startDeskSite({ env: { TZ: '' } })
  const headers = await desk.session()
  const { today, people, letters, opening, access, embed } = deskPaths
  for (const path of [today, people, letters, opening, access, embed]) {
    const { status, body } = await desk.ask(path, { headers })
    expect(status, path).toBe(200)
    expect(body).not.toContain('Etc/Unknown')
  }
})
