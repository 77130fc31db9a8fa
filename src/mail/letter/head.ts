import { escapeHtml } from '../../shared/escape-html.ts'
import { type Catalogue, rootAttributes } from '../../words/catalogue.ts'

/** The language of letters to the operator. */
export const english = { language: 'en', dir: 'ltr' } as const

/**
 * The beginning of an HTML letter. @param style rules beside the inline ones, for dark mode, a line
 * each.
 */
export function letterHead(
  language: Pick<Catalogue, 'language' | 'dir'>,
  subject: string,
  style: string,
): string {
  return `<!doctype html>
<html ${rootAttributes(language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
${style}
</style>
</head>`
}
