import { resolve } from 'node:path'

/**
 * Reads a setting that names a folder. What a shell or a browser would replace is no name: a folder
 * of that name would be made inside the project.
 *
 * @param root the project's folder, where a relative one begins. @returns an absolute path.
 */
export const folderIn = (root: string) => (text: string) =>
  /^[\w+.-]*:|(^|\/)~|\$[A-Z_{(]|^["'`]|["'`]$|%\w+%/.test(text) ? undefined : resolve(root, text)

export const FOLDER_RULE =
  'the plain path of a folder, without ~, $HOME, quotes, a drive or file:, which a shell or a browser would replace'
