import { escapeHtml } from '../../shared/escape-html.ts'

/** How an HTML letter begins. @param style rules beside the inline ones, a line each; they say what is dark. */
export function letterHead(subject: string, style: string): string {
  return `<!doctype html>
<html lang="en">
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
