import react from '@vitejs/plugin-react'
import { type InlineConfig, mergeConfig, type UserConfig } from 'vite'
import { codeFolder } from '../../src/product/folders.mjs'
import { languagesOf } from '../../src/product/languages.ts'
import product from '../../src/product/product.ts'
import { brandStyle } from './brand-style.ts'
import { pageFlags, prerenderInDevelopment } from './prerender.ts'

/** How Vite makes whatever it makes: of the code in our folder, and by nothing but what is said here. */
const ours = {
  root: codeFolder,
  publicDir: false,
  build: {
    target: 'baseline-widely-available',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // How long a plugin took on a busy machine is no warning about the page.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
} satisfies UserConfig

/** The same for one build. */
export const buildConfig = (config: InlineConfig): InlineConfig =>
  mergeConfig<InlineConfig, InlineConfig>({ ...ours, configFile: false, logLevel: 'warn' }, config)

/**
 * How Vite makes the page, of the code in our folder and the words in the founder's. A function, as
 * those must be without mistakes by then.
 */
export const pageConfig = (): UserConfig => ({
  ...ours,
  plugins: [react(), brandStyle(languagesOf(product)[0]), prerenderInDevelopment(), plainImports],
  // A build says more exactly, in its turn.
  define: pageFlags({ mode: 'embedded' }),
})

/** In the place of Vite's own helper, which preloads what a chunk needs: ours need nothing more. */
const plainImports = {
  name: 'plain-imports',
  enforce: 'pre',
  load: {
    filter: { id: /preload-helper/ },
    handler: () => 'export const __vitePreload = (load) => load()',
  },
} as const
