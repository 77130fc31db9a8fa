import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { languagesOf } from '../../src/product/languages.ts'
import product from '../../src/product/product.ts'
import { paths } from '../../src/shared/api.ts'
import type { Product } from '../../src/shared/product.ts'
import { contentTypeOf } from '../../src/site/content-type.ts'
import { minifyScript, scriptIn } from '../build/document.ts'
import { languagePage } from '../build/language-page.ts'
import { buildPage } from '../build/page.ts'
import { readsFoot } from '../build/scene.ts'

/** Where a scene's page is; what it asks for is answered from a folder, by no server. */
export const SCENE_URL = 'http://scene.localhost/'

/** Makes pages of any product, as the build does, and opens them without a server. */
export async function openScenePages() {
  const folder = await mkdtemp(join(tmpdir(), 'opening-bell-scenes-'))
  const { common } = await buildPage(folder, { mode: 'embedded', publicUrl: null })
  const made = new Map<string, Promise<string>>()

  async function make(own: Product): Promise<string> {
    const [language] = languagesOf(own)
    const { prerender, shell } = common
    const gate = prerender.renderGate(scriptIn(shell), [], { readsFoot: readsFoot(own) })
    const script = minifyScript(gate)
    return (await languagePage(language, { ...common, script })).first
  }

  function htmlOf(changes: Partial<Product>): Promise<string> {
    const key = JSON.stringify(changes)
    const html = made.get(key) ?? make({ ...product, ...changes })
    made.set(key, html)
    return html
  }

  return {
    /** Opens a page in which our product is changed; it is loaded by `goto(SCENE_URL)`. */
    async open(
      browser: Browser,
      changes: Partial<Product>,
      options: BrowserContextOptions = {},
    ): Promise<Page> {
      const html = await htmlOf(changes)
      const page = await browser.newPage(options)
      await page.route('**/*', async (route) => {
        const { pathname } = new URL(route.request().url())
        if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: html })
        if (pathname === paths.config) return route.fulfill({ json: { mode: 'embedded' } })
        const file = await readFile(join(folder, pathname)).catch(() => undefined)
        if (!file) return route.fulfill({ json: {} })
        return route.fulfill({ contentType: contentTypeOf(pathname), body: file })
      })
      return page
    },
    close: () => rm(folder, { recursive: true }),
  }
}

export type ScenePages = Awaited<ReturnType<typeof openScenePages>>
