// biome-ignore lint/style/noDefaultExport: a worker is the default export of its module.
export default class PdfWorker {}
