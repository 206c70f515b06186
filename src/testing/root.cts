/** Folder of this file, told in the one way that both kinds of modules can import. */
export = __dirname;
