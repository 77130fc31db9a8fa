/** @module-tag long */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startDeskSite } from '../../fixtures/desk-site.ts'
import { readEvents } from '../../fixtures/event-stream.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { buildDisk } from '../../torture/disk/preload.ts'

it('on a full disk gives back what was typed, and ends what is ended, also after a restart', async (context) => {
  const disk = buildDisk()
  if ('missing' in disk) return context.skip(disk.missing)
  const [folder, trouble] = [join(tempDir(), 'site'), tempDir()]
  mkdirSync(folder)
  const env = {
    LD_PRELOAD: disk.library,
    DISK_FOLDER: join(folder, 'data'),
    DISK_TROUBLE: trouble,
  }
  const { site, ask, session, sessions } = await startDeskSite({ folder, env })
  const [own, other, third] = [await session(), await session(), await session()]
  const page = await ask('/desk/access', { headers: own })
  const csrf = /"csrf":"([\w-]+)"/.exec(page.body)?.[1] ?? ''
  const post = (path: string, fields: Record<string, string>) =>
    ask(path, {
      method: 'POST',
      headers: {
        ...own,
        origin: site.url,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ csrf, ...fields }).toString(),
    })
  const statusOf = async (headers: { cookie: string }) => (await ask('/desk', { headers })).status
  const events = await readEvents(`${site.url}/desk/events?of=today`, other)
  await events.until('state', () => true)
  const [, , last] = await sessions()

  writeFileSync(join(trouble, 'full'), '')
  const letter = { name: 'launch', subject: 'We are live', text: 'Typed for an hour' }
  const saved = await post('/desk/letters', letter)
  expect(saved.status).toBe(409)
  expect(saved.body).toContain('Typed for an hour')
  expect(saved.body).toContain('cannot be written')

  const one = await post('/desk/access/end', { id: last?.id ?? '' })
  expect(one.body).toContain('Ended, and not written yet')
  expect(one.headers['x-desk-unwritten-end']).toBeUndefined()
  expect([await statusOf(third), await statusOf(other)]).toEqual([404, 200])
  const all = await post('/desk/access/end', { id: 'all' })
  expect(all.body).toContain('would bring the session back')
  expect(all.headers['set-cookie']?.[0]).toContain('Max-Age=0')
  expect([await statusOf(own), await statusOf(other)]).toEqual([404, 404])
  await events.ended
  expect(await sessions()).toHaveLength(3)
  expect(site.log()).toContain('cannot be written. This server enforces their end')

  rmSync(join(trouble, 'full'))
  await expect.poll(sessions).toEqual([])
  await site.kill()
  await site.restart()
  expect(await statusOf(own)).toBe(404)
})
