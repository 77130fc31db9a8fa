import react from '@vitejs/plugin-react'
import type { UserConfig } from 'vite'
import { codeFolder } from '../../src/product/folders.mjs'
import { languagesOf } from '../../src/product/languages.ts'
import product from '../../src/product/product.ts'
import { brandStyle } from './brand-style.ts'
import { pageFlags, prerenderInDevelopment } from './prerender.ts'

/**
 * How Vite makes the page, of the code in our folder and the words in the founder's. A function, as
 * those must be without mistakes by then.
 */
export const pageConfig = () =>
  ({
    root: codeFolder,
    plugins: [react(), brandStyle(languagesOf(product)[0]), prerenderInDevelopment(), plainImports],
    publicDir: false,
    // A build says more exactly, in its turn.
    define: pageFlags('embedded'),
    build: {
      target: 'baseline-widely-available',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // How long a plugin took on a busy machine is no warning about the page.
      rolldownOptions: { checks: { pluginTimings: false } },
    },
  }) satisfies UserConfig

/** In the place of Vite's own helper, which preloads what a chunk needs: ours need nothing more. */
const plainImports = {
  name: 'plain-imports',
  enforce: 'pre',
  load: {
    filter: { id: /preload-helper/ },
    handler: () => 'export const __vitePreload = (load) => load()',
  },
} as const
