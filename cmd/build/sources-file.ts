/** In the folder of the built program: of which sources and packages each of its files was made. */
export const SOURCES_FILE = 'sources.json';
