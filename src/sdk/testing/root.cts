/** Folder of this file. A CommonJS module, since both ESM and CommonJS can import it. */
export = __dirname;
