class Doctrine: pass
