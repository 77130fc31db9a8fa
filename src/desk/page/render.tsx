import { renderToString } from 'react-dom/server'
import { escapeHtml } from '../../shared/escape-html.ts'
import german from '../../shared/german.json' with { type: 'json' }
import { speak } from '../../shared/say.ts'
import type { RenderDesk } from '../contract/pages.ts'
import doorStyle from './door.css?inline'
import { Desk, titleOf } from './pages.tsx'
import { takeCode } from './take-code.ts'

/** The whole document of a page: complete without script. */
export const renderPage: RenderDesk = (view, files, nonce) => {
  const isDoor = view.page.page === 'door'
  const { product, language } = view.shell
  const { look } = product
  speak(language, language === 'de' ? german : {})
  const head = [
    '<meta charset="utf-8">',
    `<title>${escapeHtml(titleOf(view))}</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="color-scheme" content="${look.schemes}">`,
    `<meta name="theme-color" content="${look.ground}">`,
    '<meta name="robots" content="noindex">',
    '<link rel="icon" href="/favicon.ico" sizes="32x32">',
    `<link rel="icon" href="/${escapeHtml(look.logo)}" type="image/svg+xml">`,
    ...(isDoor
      ? [`<style nonce="${nonce}">${FACES}${doorStyle}${look.style}</style>`]
      : files.styles.map((style) => `<link rel="stylesheet" href="${style}">`)),
    ...(isDoor ? [] : [`<style nonce="${nonce}">${look.style}</style>`]),
  ]
  const body = renderToString(<Desk {...view} />)
  const later = isDoor
    ? `<script nonce="${nonce}">(${takeCode})()</script>`
    : `<script id="desk-data" type="application/json">${inScript(view)}</script>` +
      `<script type="module" src="${files.script}"></script>`
  return `<!doctype html><html lang="${language}"><head>${head.join('')}</head><body><div id="desk">${body}</div>${later}</body></html>`
}

/** The typeface, for pages that load nothing; the build fills it in. */
const FACES: string = import.meta.env.VITE_DOOR_FACES ?? ''

/** JSON that cannot end a script element. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
