import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** What systemd reads as it stands. */
const asItStands = ['src/upkeep/install/service-files.ts']

it('says in one place how the tool is called on this machine', () => {
  const files = globSync('src/**/*.{ts,tsx,mjs}', {
    cwd: root,
    exclude: ['src/**/node_modules/**', ...asItStands],
  })
  const writtenOut = files.filter((file) =>
    /^(?!\s*(\/\/|\/?\*)).*\b(npx |bin\/|sudo )opening-bell(?![.\w])/m.test(
      readFileSync(join(root, file), 'utf8'),
    ),
  )
  expect(writtenOut).toEqual([])
})
