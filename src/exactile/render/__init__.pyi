from exactile.render.pictures import write_pages as write_pages
from exactile.render.pictures import write_pictures as write_pictures
from exactile.render.sheets import draw_cutouts as draw_cutouts
from exactile.render.sheets import draw_pages as draw_pages
from exactile.render.svg import draw_svg as draw_svg
from exactile.render.taking import write_disassembly as write_disassembly
from exactile.render.text import draw_text as draw_text
from exactile.render.tilings import draw_tiling as draw_tiling
