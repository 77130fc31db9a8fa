/** @module-tag thorough */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import product from '../../product.config.ts'
import { buildProject, copyProject } from '../fixtures/project-copy.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

// What stands on this: a test of how the page looks and moves runs in one of the two modes only.
it('the page for Firebase is the very document of our own server, but for how it subscribes', () => {
  const root = tempDir()
  copyProject(root, product)
  const env = { FIREBASE_WEBAPP_CONFIG: '{"apiKey":"not-a-secret","projectId":"demo-launch"}' }
  for (const script of ['build', 'build-firebase'] as const)
    expect(buildProject(root, env, script)).toMatchObject({ status: 0 })
  const [ours = '', forFirebase = ''] = ['dist/public', 'dist-firebase/public'].map((folder) =>
    readFileSync(join(root, folder, 'index.html'), 'utf8').replaceAll(/index-[\w-]+\.js/g, '*.js'),
  )
  const asOurs = forFirebase
    // Fetches Firebase's part once the page's script is there.
    .replace(
      /,\(function\((?:(?!\(function\()[^<])*firebase-client-[\w-]+\.js`\]\)(?=;<\/script>)/,
      '',
    )
    .replace(' method="dialog"', ' action="/subscribe" method="post"')
    .replace('<button type="submit" disabled="">', '<button type="submit">')
    .replace(/<noscript>[^<]*<\/noscript>/, '')
    .replace(/(?:,null)*,"Signing up needs JavaScript[^"]*"(?=\])/, '')
  expect(asOurs).toBe(ours)
  expect(asOurs.length).toBeGreaterThan(5000)
})
