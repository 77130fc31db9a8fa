/**
 * The parts of a request-target in absolute form, as `http://host/path`, which a server must take; the
 * header `Host` counts for nothing then (RFC 9112, 3.2.2).
 *
 * @returns the path with its query, and the host with its port; nothing for a target in another form.
 */
export function absoluteForm(
  target: string,
): { readonly path: string; readonly host: string } | undefined {
  const [, host, rest = ''] = /^https?:\/\/(?:[^/?#]*@)?([^/?#@]+)(.*)$/i.exec(target) ?? []
  if (host === undefined) return undefined
  return { path: rest.startsWith('/') ? rest : `/${rest}`, host }
}
