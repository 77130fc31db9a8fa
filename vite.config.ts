import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import product from './product.config.ts'
import { brandStyle } from './scripts/build/brand-style.ts'
import { pageFlags, prerenderInDevelopment } from './scripts/build/prerender.ts'

export default defineConfig({
  plugins: [react(), brandStyle(product), prerenderInDevelopment()],
  publicDir: false,
  // A build says more exactly, in its turn.
  define: pageFlags(false),
  build: {
    target: 'baseline-widely-available',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // How long a plugin took on a busy machine is no warning about the page.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
})
