/** How long a static file may be kept. @param path from the site's root, such as `/robots.txt`. */
export function cacheControl(path: string): string {
  // File names in this folder contain a hash of their content.
  if (path.startsWith('/assets/')) return 'public, max-age=31536000, immutable'
  if (
    path === '/config.json' ||
    path === '/opening.json' ||
    path.endsWith('/') ||
    /\.x?html?$/i.test(path)
  )
    return 'no-cache'
  return 'public, max-age=3600'
}
